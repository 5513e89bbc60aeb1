"""The committed notebooks: their hygiene, their normal form, and that a changed number is noticed."""

import ast
import re
import subprocess
import sys
from collections import Counter

import papermill
import pytest
from nbformat import NotebookNode, v4

from lib.files import ROOT
from tools import notebooks, parameters
from tools.__main__ import main
from tools.notebooks import UsageError, code_cells, dumps, normalise, read, tags

LONGEST = 20
ABSOLUTE = re.compile(r"(/\w[\w.-]*(/|$)|~/|[A-Za-z]:[\\/])")
each_notebook = pytest.mark.parametrize("path", notebooks.listing(), ids=lambda path: path.stem)


def complaints(nb):
    """What is wrong with a notebook that is to be committed, in words."""
    yield from _complaints_about_form(nb)
    for cell in code_cells(nb):
        yield from _complaints_about_code(cell)
        for output in cell.outputs:
            yield from _complaints_about_output(output)


def _complaints_about_form(nb):
    code = code_cells(nb)
    if nb.cells[0].cell_type != "markdown" or not nb.cells[0].source.startswith("# "):
        yield "the first cell is no title"
    if [cell for cell in nb.cells if "parameters" in tags(cell)] != code[:1]:
        yield "the parameters are not the first code cell"
    if [cell.execution_count for cell in code] != list(range(1, len(code) + 1)):
        yield "the counts are not 1..N"
    if not any(cell.outputs for cell in code):
        yield "there are no outputs"
    if max(Counter(cell.get("id") for cell in nb.cells).values()) > 1:
        yield "ids are missing or repeated"
    if nb.metadata.get("kernelspec", {}).get("name") != "python3":
        yield "the kernel is not python3"
    if any("papermill" in part.metadata for part in [nb, *nb.cells]):
        yield "papermill has left metadata"
    if any(len(cell.source.splitlines()) > LONGEST for cell in nb.cells):
        yield f"a cell has more than {LONGEST} lines"


def _complaints_about_code(cell):
    if not cell.source.strip():
        yield "a code cell is empty"
    for node in ast.walk(ast.parse(cell.source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and ABSOLUTE.match(node.value):
            yield f"the path {node.value} is absolute"


def _complaints_about_output(output):
    if output.output_type == "error" or output.get("name") == "stderr":
        yield "an output is an error or a warning"
    if "image/png" in output.get("data", {}) and not output.metadata.get("image/png", {}).get("alt"):
        yield "a picture has no alternative text"


@each_notebook
def test_hygiene(path):
    assert list(complaints(read(path))) == []


@each_notebook
def test_normal_form(path):
    assert main(["normalise", "--check", str(path)]) == 0


@each_notebook
def test_parameters_are_what_papermill_reads(path):
    ours = parameters.declared(path)
    theirs = papermill.inspect_notebook(path)
    types = {name: p["inferred_type_name"] for name, p in theirs.items()}
    assert {name: p.type.__name__ for name, p in ours.items()} == types
    assert all(p["help"] for p in theirs.values()), "every parameter says what it is"


def small():
    """A notebook without a fault."""
    number = NotebookNode(output_type="stream", name="stdout", text="42\n")
    picture = v4.new_output("display_data", {"image/png": "aa"}, metadata={"image/png": {"alt": "A line."}})
    cells = [
        v4.new_markdown_cell("# Count"),
        v4.new_code_cell("n: int = 7  # a number", metadata={"tags": ["parameters"]}),
        v4.new_code_cell("print(6 * n)", outputs=[number]),
        v4.new_code_cell("picture = n", outputs=[picture]),
    ]
    return normalise(v4.new_notebook(cells=cells))


def strip(nb):
    for cell in code_cells(nb):
        cell.update(outputs=[], execution_count=None)


def put(cell, **fields):
    return lambda nb: nb.cells[cell].update(fields)


def warn(nb):
    nb.cells[2].outputs.append(NotebookNode(output_type="stream", name="stderr", text="beware"))


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (strip, "there are no outputs"),
        (strip, "the counts are not 1..N"),
        (warn, "an output is an error or a warning"),
        (put(0, source="Count"), "the first cell is no title"),
        (put(1, metadata=NotebookNode()), "the parameters are not the first code cell"),
        (put(2, execution_count=7), "the counts are not 1..N"),
        (put(2, id="cell-01"), "ids are missing or repeated"),
        (put(2, metadata=NotebookNode(papermill={})), "papermill has left metadata"),
        (put(2, source="\n" * 21), "a cell has more than 20 lines"),
        (put(2, source=" "), "a code cell is empty"),
        (put(2, source="open('/tmp/x')"), "the path /tmp/x is absolute"),
        (lambda nb: nb.metadata.kernelspec.update(name="mine"), "the kernel is not python3"),
        (lambda nb: nb.cells[3].outputs[0].update(metadata={}), "a picture has no alternative text"),
    ],
)
def test_a_spoilt_notebook_is_refused(spoil, complaint):
    nb = small()
    nb.cells[0].id = "cell-01"
    assert list(complaints(nb)) == []
    spoil(nb)
    assert complaint in list(complaints(nb))


def test_a_changed_digit_in_a_stored_output_is_noticed(tmp_path):
    good, bad = small(), small()
    for nb in good, bad:
        del nb.cells[3]
    bad.cells[2].outputs[0].text = "43\n"
    (tmp_path / "good.ipynb").write_text(dumps(good))
    (tmp_path / "bad.ipynb").write_text(dumps(bad))
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "-rA", "-n0", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    outcomes = re.findall(r"^(PASSED|FAILED) .*(good|bad).ipynb::Cell (\d)", done.stdout, re.MULTILINE)
    assert sorted(outcomes) == [
        ("FAILED", "bad", "1"),
        ("PASSED", "bad", "0"),
        ("PASSED", "good", "0"),
        ("PASSED", "good", "1"),
    ]


def executed():
    """What papermill and a front end leave behind."""
    nb = small()
    nb.nbformat_minor = 4
    nb.metadata = {"papermill": {"duration": 3}, "widgets": {}, "language_info": {"version": "3.99"}}
    nb.cells.insert(2, v4.new_code_cell("n = 7", metadata={"tags": ["injected-parameters"]}))
    nb.cells[3].metadata = {"papermill": {"status": "completed"}, "collapsed": False, "tags": ["figure"]}
    nb.cells[3].outputs = [
        NotebookNode(output_type="stream", name="stdout", text="4"),
        NotebookNode(output_type="stream", name="stdout", text="2\n"),
        v4.new_output("execute_result", {"text/plain": "1"}, execution_count=9, metadata={"isolated": True}),
    ]
    nb.cells[4].outputs[0].metadata = {"image/png": {"alt": "A line.", "width": 640, "height": 9}, "needs": "light"}
    return nb


def test_the_normal_form():
    nb = normalise(executed())
    assert (nb.nbformat, nb.nbformat_minor, sorted(nb.metadata)) == (4, 5, ["kernelspec", "language_info"])
    assert [cell.metadata for cell in nb.cells] == [{}, {"tags": ["parameters"]}, {"tags": ["figure"]}, {}]
    assert [cell.execution_count for cell in code_cells(nb)] == [1, 2, 3]
    stream, result = nb.cells[2].outputs
    assert (stream.text, result.execution_count, result.metadata) == ("42\n", 2, {})
    assert nb.cells[3].outputs[0].metadata == {"image/png": {"alt": "A line.", "width": 640}}


def test_the_normal_form_is_valid_and_its_own_normal_form():
    from nbformat import reads, validate

    text = dumps(normalise(executed()))
    nb = reads(text, as_version=4)
    validate(nb)
    assert dumps(normalise(nb)) == text
    assert text.endswith("}\n")


def test_ids_are_kept_and_the_missing_ones_derived():
    nb = small()
    for cell, name in zip(nb.cells, ["keep", "keep", "cell-02", "no good"], strict=True):
        cell.id = name
    assert [cell.id for cell in normalise(nb).cells] == ["keep", "cell-02x", "cell-02", "cell-04"]


def test_outputs_go_to_the_same_code_under_newer_prose():
    nb = small()
    strip(nb)
    nb.cells[0].source = "# Count again"
    nb = notebooks.with_outputs(nb, executed())
    assert nb.cells[0].source == "# Count again"
    assert nb.cells[2].outputs[0].text == "42\n"


def test_normalise_names_the_files(tmp_path, capsys):
    path = tmp_path / "one.ipynb"
    path.write_text(dumps(executed()))
    assert main(["normalise", "--check", str(path)]) == 1
    assert "one.ipynb" in capsys.readouterr().out
    assert main(["normalise", str(path)]) == 0
    assert main(["normalise", "--check", str(path)]) == 0


@pytest.fixture
def declaring(tmp_path):
    """A function that writes a notebook with such parameters."""

    def write(source):
        cell = v4.new_code_cell(source, metadata={"tags": ["parameters"]})
        path = tmp_path / "try.ipynb"
        path.write_text(dumps(v4.new_notebook(cells=[cell])))
        return path

    return write


SIX = """c: float = 1  # the constant, as in [5]
n: int = -3  # how many [-5..7]
# a remark [1..2]
init: str = "zero # not a comment"  # where to start [zero # not a comment | mean | 1.0]
deep: bool = False
sizes: list = [1, 2]  # all of them [1..]
names: list = ["a"]  # which [a | b]
"""


def test_parameters_are_read_without_running(declaring):
    assert parameters.declared(declaring(SIX)) == {
        "c": (float, 1.0, ""),
        "n": (int, -3, "-5..7"),
        "init": (str, "zero # not a comment", "zero # not a comment | mean | 1.0"),
        "deep": (bool, False, ""),
        "sizes": (list, [1, 2], "1.."),
        "names": (list, ["a"], "a | b"),
    }


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("a: int = 1\nb = 2", "try.ipynb, cell parameters, line 2: b = 2; expected one line"),
        ("a: int", "line 1: a: int; expected"),
        ("a: dict = {}", "with a type of int, float, str, bool, list"),
        ("a: int = 1 + n", "line 1: malformed node"),
        ("a: int = 2.5", "line 1: a is 2.5; expected an integer"),
        ("a: list = [1,\n 2]", "line 1: a: list = [1, 2]; expected one line"),
        ("a: int = 1\na: int = 2", "line 2: a stands there twice"),
        ("a: int = (", "line 1: '(' was never closed"),
        ("a: int = 9  # how many [1..5]", "line 1: a is 9; expected from 1 to 5"),
        ("import os", "line 1: import os; expected"),
    ],
)
def test_a_broken_parameters_cell_names_its_line(declaring, source, complaint):
    with pytest.raises(UsageError) as error:
        parameters.declared(declaring(source))
    assert complaint in str(error.value)


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("c", "1e-3", 0.001),
        ("c", "2", 2.0),
        ("c", 2, 2.0),
        ("n", "-5", -5),
        ("n", "7", 7),
        ("sizes", "[1, 2.5, [3]]", [1, 2.5, [3]]),
        ("names", "['b', 'a']", ["b", "a"]),
        ("init", "1.0", "1.0"),
        ("deep", "true", True),
        ("deep", "False", False),
        ("sizes", "[1, 'a', true]", None),
        ("sizes", "[1, true]", None),
        ("sizes", "['a']", None),
        ("sizes", "[]", None),
        ("sizes", "[1, 0.5]", None),
        ("names", "['c']", None),
        ("n", "8", None),
        ("n", "-6", None),
        ("init", "far", None),
        ("n", "3.5", None),
        ("n", "", None),
        ("n", True, None),
        ("c", "nan", None),
        ("c", "x", None),
        ("deep", "1", None),
        ("init", 3, None),
        ("sizes", "1:2", None),
        ("sizes", "(1, 2)", None),
        ("sizes", [1j], None),
        ("sizzes", "[1]", None),
    ],
)
def test_values_are_of_the_declared_type_or_refused(declaring, name, given, value):
    path = declaring(SIX)
    if value is None:
        with pytest.raises(ValueError, match=r"expected|did you mean sizes\?"):
            parameters.checked(path, {name: given})
    else:
        checked = parameters.checked(path, {name: given})
        assert checked == {name: value}
        assert type(checked[name]) is type(value)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"n": 8}, "n is 8; expected from -5 to 7"),
        ({"sizes": []}, "sizes is []; expected a list that is not empty"),
        ({"sizes": [0]}, "sizes is [0]; expected entries at least 1"),
        ({"init": "far"}, "init is 'far'; expected one of zero # not a comment, mean, 1.0"),
        ({"deep": "true"}, "deep is 'true'; expected true or false"),
        ({"n": 7, "c": 2}, None),
    ],
)
def test_plain_papermill_refuses_in_the_first_cell_and_in_one_sentence(tmp_path, given, sentence):
    head = v4.new_code_cell(SIX, metadata={"tags": ["parameters"]})
    ask = "from lib.claims import check_parameters\n\ncheck_parameters()\nprint(type(c).__name__)"
    nb = v4.new_notebook(cells=[head, v4.new_code_cell(ask)], metadata={"kernelspec": notebooks.KERNEL})
    (tmp_path / "one.ipynb").write_text(dumps(nb))
    run = [str(tmp_path / "one.ipynb"), str(tmp_path / "out.ipynb"), given]
    if sentence is None:
        assert papermill.execute_notebook(*run, progress_bar=False).cells[-1].outputs[0].text == "float\n"
    else:
        with pytest.raises(papermill.PapermillExecutionError) as error:
            papermill.execute_notebook(*run, progress_bar=False)
        assert error.value.traceback == [sentence]


def test_notebooks_are_found_by_number_name_and_path(tmp_path, monkeypatch):
    monkeypatch.setattr(notebooks, "NOTEBOOKS", tmp_path)
    path = tmp_path / "02_novikoff_theorem.ipynb"
    path.write_text("{}")
    for name in "02", "02_novikoff_theorem", "02_novikoff_theorem.ipynb", path:
        assert notebooks.find(name) == path
    with pytest.raises(UsageError, match="did you mean 02_novikoff_theorem"):
        notebooks.find("02_novikoff_theore")
    with pytest.raises(UsageError, match="expected one of 02_novikoff_theorem"):
        notebooks.find("xyz")
    with pytest.raises(UsageError, match="is not a notebook"):
        parameters.declared(path)
