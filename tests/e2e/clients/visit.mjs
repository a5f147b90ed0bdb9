// What both generations of the TypeScript SDK do, for one connected client: see plan.py.
export async function visit(client, plan) {
  const text = (block) => {
    if (typeof block.text !== "string") throw new Error("no text: " + JSON.stringify(block));
    return block.text;
  };
  const outcome = { calls: {}, texts: {}, contents: {}, messages: {} };
  outcome.tools = (await client.listTools()).tools.map((tool) => tool.name);
  for (const [name, args] of Object.entries(plan.calls)) {
    const result = await client.callTool({ name, arguments: args });
    if (result.isError) throw new Error(name + ": " + JSON.stringify(result));
    outcome.calls[name] = result.structuredContent;
    outcome.texts[name] = text(result.content[0]);
  }
  outcome.resources = (await client.listResources()).resources.map(({ uri }) => uri);
  outcome.templates = (await client.listResourceTemplates()).resourceTemplates.map(
    ({ uriTemplate }) => uriTemplate,
  );
  for (const uri of plan.resources) {
    outcome.contents[uri] = text((await client.readResource({ uri })).contents[0]);
  }
  outcome.absent_is_error = await client.readResource({ uri: plan.absent_resource }).then(
    () => false,
    (error) => typeof error.code === "number",
  );
  outcome.prompts = (await client.listPrompts()).prompts.map(({ name }) => name);
  for (const [name, args] of Object.entries(plan.prompts)) {
    const { messages } = await client.getPrompt({ name, arguments: args });
    outcome.messages[name] = messages.map(({ content }) => text(content));
  }
  return outcome;
}
