// One node of a cluster in a process of its own: java -cp '<jars>/*' OneNode.java <home> name=value ...

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.codelibs.opensearch.runner.node.OpenSearchRunnerNode;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.transport.Netty4Plugin;

public final class OneNode {
    public static void main(String[] args) throws Exception {
        Settings.Builder settings = Settings.builder().put("path.home", args[0]);
        for (int i = 1; i < args.length; i++) {
            String[] pair = args[i].split("=", 2);
            settings.put(pair[0], pair[1]);
        }
        var environment = InternalSettingsPreparer.prepareEnvironment(
            settings.build(), Map.of(), Path.of(args[0], "config"), () -> "node");
        new OpenSearchRunnerNode(environment, List.of(Netty4Plugin.class, CommonAnalysisPlugin.class))
            .start();
        Thread.currentThread().join();
    }
}
