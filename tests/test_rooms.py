"""The plan of the house: imports go one way, no module is long, and lib's root is small."""

import ast

import pytest

from lib.files import ROOT

LIB = ROOT / "lib"
FLOORS = [
    {"files"},
    {"compiled", "numbers"},
    {"patterns"},
    {"margins"},
    {"perceptrons", "programs"},
    {"bounds"},
    {"studies"},
]
ASIDE = {"claims", "data", "figures"}
"""Rooms that know no algorithm: they stand beside the patterns, and studies, on the top floor, may use them."""
DOORS = {"__init__", "__main__"}
"""What users import, and `python -m lib`, which calls the tools."""


def forbidden(room, source):
    """The rooms that a module of this room imports and may not: others than its own and those of lower floors."""
    height = 2 if room in ASIDE else next(i for i, floor in enumerate(FLOORS) if room in floor)
    return imported(source) - {room}.union(*FLOORS[:height], ASIDE if {room} == FLOORS[-1] else ())


def imported(source):
    """Rooms of lib that a source imports, and "tools"."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        whole = [f"{node.module}.{name}" for name in names] if isinstance(node, ast.ImportFrom) else names
        parts = [name.split(".") for name in whole if name.split(".")[0] in ("lib", "tools")]
        found |= {words[1] if words[0] == "lib" and len(words) > 1 else words[0] for words in parts}
    return found


MODULES = [path for path in LIB.rglob("*.py") if path.parent != LIB or path.stem not in DOORS]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(LIB)))
def test_a_room_imports_lower_ones_alone_and_no_module_is_long(path):
    room = path.relative_to(LIB).parts[0].removesuffix(".py")
    source = path.read_text(encoding="utf-8")
    assert not forbidden(room, source)
    assert source.count("\n") <= 300


def test_the_root_holds_at_most_a_dozen_names():
    names = {path.stem for path in LIB.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert names - DOORS == ASIDE.union(*FLOORS)
    assert len(names - DOORS) <= 12


@pytest.mark.parametrize(
    ("room", "source", "wrong"),
    [
        ("margins", "from lib.perceptrons.perceptron import perceptron", {"perceptrons"}),
        ("margins", "def f():\n    from lib import bounds, patterns", {"bounds"}),
        ("programs", "import lib.perceptrons.pocket as p", {"perceptrons"}),
        ("figures", "from lib.patterns import fold", {"patterns"}),
        ("studies", "from tools.notebooks import read", {"tools"}),
        ("numbers", "import tools", {"tools"}),
        ("perceptrons", "import lib", {"lib"}),
        ("studies", "from lib import data, figures", set()),
        ("bounds", "from lib import figures", {"figures"}),
        ("studies", "from lib.bounds import ctu\nfrom lib.studies.lifting import SETS\nimport numpy", set()),
    ],
)
def test_a_wrong_import_is_seen(room, source, wrong):
    assert forbidden(room, source) == wrong
