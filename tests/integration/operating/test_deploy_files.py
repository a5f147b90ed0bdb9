"""``deploy/`` names only what there is: settings, commands, ports, files; each by its own tool."""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

import fundstelle
from fundstelle.cli import cli
from fundstelle.cli.up import up
from fundstelle.settings import Settings
from fundstelle.settings.reading import PREFIX

CHECKOUT = Path(__file__).parents[3]
DEPLOY = CHECKOUT / "deploy"
CHART = DEPLOY / "helm" / "fundstelle"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
UNITS = sorted((DEPLOY / "systemd").iterdir())
PROGRAM = "/opt/fundstelle/bin/fundstelle"
FILES = sorted(each for each in DEPLOY.rglob("*") if each.is_file() and each.name != ".env")


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def expand(template: str) -> str:
    """A template of the chart as plain YAML: its lines of control gone, its values a word."""
    text = re.sub(r"^\s*\{\{-?.*-?\}\}\s*$", "", template, flags=re.MULTILINE)
    return re.sub(r'"?\{\{.*?\}\}(:\{\{.*?\}\})?"?', "value", text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(DEPLOY)))
def test_every_setting_that_is_named_exists(path: Path) -> None:
    names = {PREFIX + each.name.upper() for each in fields(Settings)}
    files = {f"{each}_FILE" for each in names}
    named = set(re.findall(r"FUNDSTELLE_[A-Z_]+", read(path).replace("FUNDSTELLE_* ", "")))
    assert named <= names | files


def test_the_documentation_shows_the_file_for_nginx_as_it_is() -> None:
    shown = read(DEPLOY / "nginx" / "fundstelle.conf")
    assert f"```nginx\n{shown}```\n" in read(CHECKOUT / "docs" / "replicas.md")


def list_commands() -> Iterator[tuple[str, list[str]]]:
    entry = re.search(r"^ENTRYPOINT (.*)$", DOCKERFILE, re.MULTILINE)
    command = re.search(r"^CMD (.*)$", DOCKERFILE, re.MULTILINE)
    assert entry is not None
    assert command is not None
    assert yaml.safe_load(entry[1]) == ["fundstelle"]
    yield "Dockerfile", yaml.safe_load(command[1])
    for name, service in COMPOSE["services"].items():
        for line in map(str, service.get("command", [])):
            for found in re.findall(r"fundstelle ([^;\n]+)[;\n]", line):
                yield f"compose {name}", shlex.split(found)
    for unit in UNITS:
        for line in re.findall(rf"^ExecStart={PROGRAM} (.*)$", read(unit), re.MULTILINE):
            yield unit.name, shlex.split(line)
    deployment = yaml.safe_load(expand(read(CHART / "templates/deployment.yaml")))
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    yield "chart", container["args"]


COMMANDS = list(list_commands())


def test_every_way_to_start_it_is_looked_at() -> None:
    names = [name for name, _ in COMMANDS]
    assert names == [
        *("Dockerfile", "compose updater", "fundstelle-update.service"),
        *("fundstelle.service", "chart"),
    ]


@pytest.mark.parametrize(("name", "arguments"), COMMANDS, ids=[name for name, _ in COMMANDS])
def test_every_command_and_option_exists(name: str, arguments: list[str]) -> None:
    context = click.Context(cli)
    command = cli.get_command(context, arguments[0])
    assert command is not None, name
    command.make_context(arguments[0], arguments[1:], parent=context)


def test_all_speak_of_one_port() -> None:
    port = next(each.default for each in up.params if each.name == "port")
    assert port == 8000
    written = re.compile(
        r"(?:port[\":, ]+|EXPOSE |server:|127\.0\.0\.1:)\"?(\d{4})\b", re.IGNORECASE
    )
    found = {path.name: set(written.findall(read(path))) for path in FILES}
    assert {name: ports for name, ports in found.items() if ports} == {
        name: {str(port)}
        for name in (
            *("Dockerfile", "Caddyfile", "fundstelle.service"),
            *("deployment.yaml", "service.yaml"),
        )
    }


def test_the_chart_is_of_this_version_and_runs_as_the_image_does() -> None:
    chart = yaml.safe_load(read(CHART / "Chart.yaml"))
    assert chart["version"] == chart["appVersion"] == fundstelle.__version__
    uid = re.search(r"--uid (\d+)", DOCKERFILE)
    assert uid is not None
    deployment = yaml.safe_load(expand(read(CHART / "templates/deployment.yaml")))
    pod = deployment["spec"]["template"]["spec"]
    assert pod["securityContext"]["runAsUser"] == int(uid[1])
    assert pod["securityContext"]["runAsNonRoot"] is True
    (container,) = pod["containers"]
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    assert {each["mountPath"] for each in container["volumeMounts"]} == {"/data", "/tmp"}


@pytest.mark.parametrize("path", sorted((CHART / "templates").glob("*.yaml")), ids=lambda p: p.name)
def test_the_templates_of_the_chart_are_yaml(path: Path) -> None:
    rendered = yaml.safe_load(expand(read(path)))
    assert {"apiVersion", "kind", "metadata", "spec"} <= set(rendered)


def test_values_of_the_chart_are_those_that_its_templates_ask_for() -> None:
    values = yaml.safe_load(read(CHART / "values.yaml"))
    text = "".join(read(each) for each in (CHART / "templates").iterdir())
    asked = set(re.findall(r"\.Values\.([a-zA-Z.]+)", text))
    for path in asked:
        held: Any = values
        for step in path.split("."):
            held = held[step]
    assert {path.split(".")[0] for path in asked} == set(values)


def test_only_the_proxy_can_be_reached_from_outside_and_what_is_ours_is_hardened() -> None:
    services = COMPOSE["services"]
    assert [name for name, each in services.items() if "ports" in each] == ["caddy"]
    for name in ("server", "updater", "caddy", "valkey"):
        assert services[name]["read_only"] is True
        assert services[name]["cap_drop"] == ["ALL"]
    assert services["server"]["tmpfs"] == ["/tmp"]
    assert [name for name, each in services.items() if each.get("profiles")] == [
        *("postgres", "valkey")
    ]


def test_the_proxy_is_the_one_whose_word_is_taken() -> None:
    (pool,) = COMPOSE["networks"]["inside"]["ipam"]["config"]
    environ = COMPOSE["services"]["server"]["environment"]
    assert environ["FUNDSTELLE_TRUSTED_PROXIES"] == pool["subnet"]


def test_every_variable_of_compose_is_explained_in_the_example() -> None:
    asked = set(re.findall(r"\$\{([A-Z_]+)", read(DEPLOY / "compose.yaml")))
    given = set(re.findall(r"^(?:# )?([A-Z_]+)=", read(DEPLOY / "env.example"), re.MULTILINE))
    assert asked == given


def test_what_the_image_copies_is_sent_to_its_build() -> None:
    copied = {
        name
        for line in re.findall(r"^COPY (?!--from)(.*) \S+$", DOCKERFILE, re.MULTILINE)
        for name in line.split()
    }
    sent = set(re.findall(r"^!(.*)$", read(DEPLOY / "Dockerfile.dockerignore"), re.MULTILINE))
    assert copied == sent
    assert all((CHECKOUT / name).exists() for name in copied)


def test_the_image_installs_what_was_tested() -> None:
    def read_pins(name: str) -> dict[str, str]:
        return dict(re.findall(r"^([\w.-]+)==(\S+)", read(CHECKOUT / name), re.MULTILINE))

    image, tested = read_pins("requirements/container.txt"), read_pins("requirements/main.txt")
    assert tested.items() <= image.items()
    assert {"psycopg", "redis", "pypdf"} <= set(image)


def test_hadolint_finds_nothing_in_the_dockerfile() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    done = subprocess.run(
        [hadolint, DEPLOY / "Dockerfile"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("needs systemd-analyze")
    for unit in UNITS:
        (tmp_path / unit.name).write_text(read(unit).replace(PROGRAM, sys.executable))
    done = subprocess.run(
        ["systemd-analyze", "verify", *sorted(tmp_path.iterdir())],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["fundstelle.service", "fundstelle-update.service"])
def test_the_units_leave_what_the_server_reads(name: str) -> None:
    """Without /proc/stat no worker has figures, without the boot's id calls may be counted lost."""
    lines = read(DEPLOY / "systemd" / name).splitlines()
    assert "ProtectSystem=strict" in lines
    assert "ProcSubset=pid" not in lines


def test_helm_takes_the_chart() -> None:
    helm = shutil.which("helm")
    if helm is None:
        pytest.skip("needs helm")
    named = ["--set", "baseUrl=https://law.example.com", "--set", "ingress.enabled=true"]
    linted = subprocess.run(
        [helm, "lint", "--strict", CHART, *named], capture_output=True, text=True, check=False
    )
    assert linted.returncode == 0, linted.stdout
    shown = subprocess.run(
        [helm, "template", "law", CHART, *named], capture_output=True, text=True, check=False
    )
    kinds = {each["kind"] for each in yaml.safe_load_all(shown.stdout) if each}
    assert kinds == {"Deployment", "Service", "PersistentVolumeClaim", "Ingress"}


@pytest.mark.parametrize(
    "ended",
    ["2026-05-04T04:50:00", "2026-05-04T03:59:59", "2026-05-04T23:30:00", "2026-05-05T00:10"],
)
def test_the_updater_of_compose_begins_in_the_same_hour_however_long_the_one_before_took(
    tmp_path: Path, ended: str
) -> None:
    """A look that is begun before midnight is cut off by it."""
    moment = datetime.fromisoformat(f"{ended}+00:00")
    for name, says in (
        ("fundstelle", "exit 1"),
        ("date", f"echo {int(moment.timestamp())}"),
        ("sleep", f"echo $1 > {tmp_path}/slept; kill $PPID"),
    ):
        (tmp_path / name).write_text(f"#!/bin/sh\n{says}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    (loop,) = COMPOSE["services"]["updater"]["command"]
    subprocess.run(
        ["/bin/sh", "-c", loop.replace("$$", "$")],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        check=False,
    )
    slept = timedelta(seconds=int((tmp_path / "slept").read_text(encoding="utf-8")))
    begins = moment + slept
    assert begins.hour == 4
    assert timedelta(0) < slept <= timedelta(hours=25)
