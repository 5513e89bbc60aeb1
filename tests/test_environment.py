"""pyproject.toml, environment.yml and the lock files name the same dependencies, and the pins fit."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from functools import cache

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from lib.files import ROOT

LOCKS = {"main": ("run", "test")} | {extra: ("run", "test", extra) for extra in ("lab", "site", "cluster", "bench")}
"""The locks in tools/locks and the extras that each of them holds."""
CONDA_EXTRAS = ("run", "test", "lab")
CONDA_NAMES = {"matplotlib-base": "matplotlib"}
CONDA_ONLY = {"python", "pip"}
PYPI_NAMES = {
    "PIL": "pillow",
    "mpl_toolkits": "matplotlib",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
    "zmq": "pyzmq",
}
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)", re.MULTILINE)


@cache
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@cache
def environment():
    return yaml.safe_load((ROOT / "environment.yml").read_text())


def declared(*extras):
    """Name to specifier of the project's dependencies and of those extras."""
    words = [*project()["dependencies"]]
    for extra in extras:
        words += project()["optional-dependencies"][extra]
    return {canonicalize_name(r.name): r.specifier for r in map(Requirement, words)}


def conda():
    """Name to specifier of environment.yml, with the names of PyPI."""
    found = {}
    for line in environment()["dependencies"]:
        if isinstance(line, str):
            name, _, specifier = line.partition(" ")
            found[canonicalize_name(CONDA_NAMES.get(name, name))] = SpecifierSet(specifier)
    return found


@cache
def pins(lock):
    """Name to the list of versions pinned."""
    found = {}
    for name, version in PIN.findall((ROOT / "tools/locks" / f"{lock}.lock").read_text()):
        found.setdefault(canonicalize_name(name), []).append(version)
    return found


def test_conda_lists_what_the_project_declares():
    ours = {name: specifier for name, specifier in conda().items() if name not in CONDA_ONLY}
    assert ours == declared(*CONDA_EXTRAS)
    assert conda()["python"] == SpecifierSet(project()["requires-python"])
    assert set(project()["optional-dependencies"]) == {*CONDA_EXTRAS, "site", "cluster", "bench"}


def test_binder_installs_the_library():
    assert environment()["channels"][0] == "conda-forge"
    assert environment()["dependencies"][-1] == {"pip": ["-e ."]}


@pytest.mark.parametrize("lock", LOCKS)
def test_every_dependency_has_one_pin_that_fits(lock):
    for name, specifier in declared(*LOCKS[lock]).items():
        assert len(pins(lock).get(name, [])) == 1, name
        [version] = pins(lock)[name]
        assert version in specifier, (name, version)
        assert version in conda().get(name, specifier), (name, version)


@pytest.mark.parametrize("lock", LOCKS)
def test_the_lock_names_no_place_and_hashes_everything(lock):
    text = (ROOT / "tools/locks" / f"{lock}.lock").read_text()
    for word in "file:", "://", "--find-links", "--index-url", "--extra-index-url", " @ ":
        assert word not in text
    for block in re.split(r"^(?=\w)", text, flags=re.MULTILINE)[1:]:
        assert PIN.match(block), block[:80]
        assert "--hash=sha256:" in block, block[:80]


def test_the_locks_agree():
    short, *others = map(pins, LOCKS)
    for long in others:
        assert {name: long.get(name) for name in short} == short
    assert short.keys().isdisjoint({"jupyterlab", "sphinx", "distributed"})


def imported():
    """Top-level names of all modules that the project's files and notebooks import."""
    found = set()
    for path in ROOT.glob("*/**/*"):
        if path.suffix in (".py", ".ipynb") and not path.relative_to(ROOT).parts[0].startswith((".", "runs", "site")):
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".ipynb":
                cells = json.loads(text)["cells"]
                text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Import):
                    found |= {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom):
                    found.add(node.module.partition(".")[0])
    return found


def test_everything_imported_is_declared():
    ours = {path.name for path in ROOT.iterdir() if path.is_dir()} | {path.stem for path in ROOT.glob("tests/*.py")}
    foreign = imported() - sys.stdlib_module_names - ours
    names = {canonicalize_name(PYPI_NAMES.get(name, name)) for name in foreign}
    assert names - set(declared(*project()["optional-dependencies"])) == set()


def test_importing_the_library_brings_numpy_alone():
    code = (
        "import sys; before = set(sys.modules); import lib\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(*sorted(new - sys.stdlib_module_names - {'lib'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert set(done.stdout.split()) <= {"numpy"}


def test_git_does_not_hide_the_library():
    ignored = subprocess.run(["git", "check-ignore", "lib/patterns.py", "lib/claims/x.toml"], cwd=ROOT, check=False)
    if ignored.returncode == 128:
        pytest.skip("not a git repository")
    assert ignored.returncode == 1


def test_the_citation_names_the_version_and_the_five_documents():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert (citation["title"], citation["version"]) == ("Margin Notes", project()["version"])
    assert citation["license"] == project()["license"]
    assert len(citation["references"]) == 5
