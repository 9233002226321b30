"""What is installed: versions, public names, the command, and the files of the wheel."""

import importlib
import importlib.util
import pkgutil
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import distribution, entry_points, version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LIGHT = {"rulespec", "interpreter"}


def modules(package: str) -> list[str]:
    found = importlib.import_module(package)
    return [package, *(m.name for m in pkgutil.walk_packages(found.__path__, f"{package}."))]


def test_installed_version_is_the_one_of_the_project() -> None:
    assert PROJECT["version"] == version("rulespec")


@pytest.mark.parametrize("package", sorted(LIGHT))
def test_every_public_name_exists(package: str) -> None:
    module = importlib.import_module(package)
    assert [] == [name for name in module.__all__ if not hasattr(module, name)]


@pytest.mark.parametrize("module", [*modules("rulespec"), *modules("interpreter")])
def test_every_module_imports_and_says_what_it_is_for(module: str) -> None:
    assert importlib.import_module(module).__doc__


def test_the_command_is_installed() -> None:
    [script] = [e for e in distribution("rulespec").entry_points if e.group == "console_scripts"]
    assert ("rulespec", "interpreter.cli:main") == (script.name, script.value)


def test_shipped_games_are_announced_like_those_of_any_other_package() -> None:
    [announced] = [e for e in entry_points(group="rulespec.games") if e.dist and e.dist.name == "rulespec"]
    assert "rulespec._games" == announced.value


@pytest.mark.parametrize("package", sorted(LIGHT))
def test_importing_a_package_imports_no_more_than_it_must(package: str) -> None:
    code = f"import {package}, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert set() == {"lark", "yaml", "rulespec.checked", "rulespec.check.types", "interpreter.game"} & set(loaded)


def test_public_functions_stay_what_they_are_when_modules_of_their_names_are_imported() -> None:
    code = (
        "import rulespec, interpreter, rulespec.check.driver, interpreter.game\n"
        "for module in (rulespec, interpreter):\n"
        "    for name in module.__all__: print(type(getattr(module, name)).__name__)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "module" not in found


@pytest.mark.parametrize("package", sorted(LIGHT))
def test_embedding_needs_neither_terminal_nor_test_libraries(package: str) -> None:
    """Every module but the command line imports with the three dependencies alone."""
    names = [name for name in modules(package) if not name.startswith("interpreter.cli")]
    code = (
        "import importlib, sys\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert set() == {"click", "rich", "jinja2", "weasyprint", "pytest", "hypothesis"} & set(loaded)


def test_playing_needs_no_rulebooks() -> None:
    apart = ("interpreter.cli", "interpreter.rulebook")
    names = [name for package in sorted(LIGHT) for name in modules(package) if not name.startswith(apart)]
    code = f"import importlib, sys\nfor n in {names!r}: importlib.import_module(n)\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert [] == [name for name in loaded if name.startswith(apart)]


def test_the_language_loads_without_the_engine() -> None:
    code = f"import importlib, sys\nfor n in {modules('rulespec')!r}: importlib.import_module(n)\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert [] == [name for name in loaded if name.partition(".")[0] == "interpreter"]


def test_dependencies_stay_few() -> None:
    names = {re.split(r"[<>=!~\[ ]", line)[0] for line in PROJECT["dependencies"]}
    assert {"attrs", "lark", "pyyaml"} == names


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("build") is None, reason="needs the package build")
def test_the_wheel_holds_both_packages_and_the_games(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(command, capture_output=True, check=True)
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    tops = {name.partition("/")[0] for name in names}
    assert LIGHT | {f"rulespec-{PROJECT['version']}.dist-info"} == tops
    for package in LIGHT:
        sources = {
            str(path.relative_to(ROOT))
            for path in (ROOT / package).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        assert set() == sources - names
    games = {f"rulespec/_games/{path.relative_to(ROOT / 'games')}" for path in (ROOT / "games").rglob("*.yaml")}
    assert games
    assert set() == games - names
