"""The notebooks: where they stand, how they are stored, and their normal form.

The normal form holds nothing that depends on when or where a notebook ran: to run it again
and normalise it leaves the file as it was.
"""

import copy
import difflib
import hashlib
import re
from pathlib import Path

from lib.claims.parameters import UsageError
from lib.files import NOTEBOOKS, ROOT, store

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def listing():
    """The paths of the committed notebooks, in order."""
    return sorted(NOTEBOOKS.glob("[!.]*.ipynb"))


def find(name):
    """The path of a notebook, given by number (`02`), by name with or without `.ipynb`, or by path."""
    path = Path(name)
    if path.suffix == ".ipynb" and path.is_file():
        return path.resolve()
    known = {notebook.stem: notebook for notebook in listing()}
    short = str(name).removesuffix(".ipynb")
    for stem, notebook in known.items():
        if short in (stem, stem.split("_")[0]):
            return notebook
    raise UsageError(f"unknown notebook {str(name)!r}{instead(short, known)}")


def instead(name, known):
    """What may have been meant by an unknown name."""
    close = difflib.get_close_matches(name, known, cutoff=0.5)
    if close:
        return f"; did you mean {' or '.join(close)}?"
    return f"; expected one of {', '.join(known)}" if known else "; there are none"


def read(path):
    """The notebook of a file, as it stands there."""
    from nbformat import v4

    try:
        return v4.reads(Path(path).read_text(encoding="utf-8"))
    except (ValueError, AttributeError, TypeError) as error:
        raise UsageError(f"{path} is not a notebook: {error}") from None


def dumps(nb):
    """The text of a notebook's file."""
    from nbformat import v4

    return v4.writes(nb) + "\n"


def fingerprint(*patterns):
    """A digest of the names and contents of the project's files that fit the patterns."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()):
        digest.update(f"{path.relative_to(ROOT).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def tags(cell):
    """The tags of a cell."""
    return cell.metadata.get("tags", [])


def normalise(nb):
    """A copy of a notebook in normal form.

    Counts 1..N; stable ids; one output for text printed in a row; no metadata but the kernel's
    name, tags, and alternative texts and widths of pictures; nothing that papermill put in.
    """
    nb = copy.deepcopy(nb)
    nb.nbformat, nb.nbformat_minor = 4, 5
    nb.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    nb.cells = [cell for cell in nb.cells if not _is_papermills(cell)]
    _name_cells(nb.cells)
    for cell in nb.cells:
        cell.metadata = {"tags": tags(cell)} if tags(cell) else {}
    for count, cell in enumerate(code_cells(nb), start=1):
        cell.execution_count = count
        cell.outputs = _normal_outputs(cell.get("outputs", []), count)
    return nb


def code_cells(nb):
    """The code cells of a notebook."""
    return [cell for cell in nb.cells if cell.cell_type == "code"]


def _is_papermills(cell):
    return not {"injected-parameters", "papermill-error-cell-tag"}.isdisjoint(tags(cell))


def _name_cells(cells):
    taken = {cell.get("id") for cell in cells}
    seen = set()
    for number, cell in enumerate(cells, start=1):
        name = cell.get("id", "")
        if name in seen or not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name):
            name = f"cell-{number:02d}"
            while name in taken:
                name += "x"
        cell.id = name
        seen.add(name)


def _normal_outputs(outputs, count):
    normal = []
    for output in outputs:
        if output.output_type == "stream" and normal and normal[-1].get("name") == output.name:
            normal[-1].text += output.text
            continue
        if "metadata" in output:
            output.metadata = {
                mime: {name: about[name] for name in ("alt", "width") if name in about}
                for mime, about in output.metadata.items()
                if isinstance(about, dict) and "alt" in about
            }
        if output.output_type == "execute_result":
            output.execution_count = count
        normal.append(output)
    return normal


def with_outputs(nb, executed):
    """A notebook with the outputs of its executed copy, in normal form; the prose may be newer."""
    nb = normalise(nb)
    for cell, ran in zip(code_cells(nb), code_cells(normalise(executed)), strict=True):
        cell.outputs = ran.outputs
    return nb


def normalise_files(paths=(), *, check=False):
    """Bring notebooks, all committed ones if none is named, to normal form.

    Returns
    -------
    list of Path
        Those that were not; with `check` they are left as they are.
    """
    changed = []
    for path in [find(name) for name in paths] or listing():
        text = dumps(normalise(read(path)))
        if text.encode() != path.read_bytes():
            changed.append(path)
            if not check:
                store(path, text)
    return changed
