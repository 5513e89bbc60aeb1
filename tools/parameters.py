"""The parameters of a notebook: what it declares, and values checked against that.

A parameter is one line `name: type = literal  # help` of the cell tagged `parameters`. It is
read without running the notebook, so that a bad value is refused before a kernel starts.
"""

import ast
import json
import math
from typing import Any, NamedTuple

from tools.notebooks import UsageError, find, instead, read, tags

TYPES = {kind.__name__: kind for kind in (int, float, str, bool, list)}
EXPECTED = {
    int: "an integer",
    float: "a finite number",
    str: "a string",
    bool: "true or false",
    list: "a list",
}


class Parameter(NamedTuple):
    """What a notebook says about one of its parameters."""

    type: type
    default: Any


def declared(notebook):
    """What a notebook may be given.

    Parameters
    ----------
    notebook : str or Path

    Returns
    -------
    dict of str to Parameter
        Empty for a notebook without a cell tagged `parameters`.
    """
    path = find(notebook)
    cells = [cell for cell in read(path).cells if "parameters" in tags(cell)]
    if not cells:
        return {}
    if len(cells) > 1:
        raise UsageError(f"{path.name} has {len(cells)} cells tagged parameters; expected one")
    return _declarations(cells[0].source, f"{path.name}, cell parameters")


def _declarations(source, where):
    try:
        statements = ast.parse(source).body
    except SyntaxError as error:
        raise UsageError(f"{where}, line {error.lineno}: {error.msg}") from None
    found = {}
    for statement in statements:
        line = f"{where}, line {statement.lineno}"
        name, kind, default = _declaration(statement, line)
        if name in found:
            raise UsageError(f"{line}: {name} stands there twice")
        found[name] = Parameter(kind, default)
    return found


def _declaration(statement, where):
    match statement:
        case ast.AnnAssign(ast.Name(name), ast.Name(kind), value) if value and kind in TYPES:
            if statement.lineno == statement.end_lineno:
                try:
                    return name, TYPES[kind], _typed(name, TYPES[kind], ast.literal_eval(value))
                except ValueError as error:
                    raise UsageError(f"{where}: {error}") from None
    expected = f"one line `name: type = literal  # help` with a type of {', '.join(TYPES)}"
    raise UsageError(f"{where}: {ast.unparse(statement)}; expected {expected}")


def _typed(name, kind, value):
    """The value if it is of the kind; an integer becomes a float where a float is declared."""
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind or (kind is float and not math.isfinite(value)):
        raise UsageError(f"{name} is {value!r}; expected {EXPECTED[kind]}")
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        raise UsageError(f"{name} is {value!r}; expected numbers, strings and lists inside") from None
    return value


def _parsed(kind, word):
    """What a word of the command line means where the kind is declared; the word itself if nothing."""
    try:
        if kind is bool:
            return {"true": True, "false": False}.get(word.lower(), word)
        return _literal(word) if kind is list else kind(word)
    except (ValueError, SyntaxError):
        return word


def _literal(word):
    try:
        return json.loads(word)
    except ValueError:
        return ast.literal_eval(word)


def checked(notebook, given):
    """Values for a notebook's parameters, checked against what it declares.

    Parameters
    ----------
    notebook : str or Path
    given : dict
        Strings are read as the declared type, as on a command line.

    Returns
    -------
    dict
        The values, each of its declared type.

    Raises
    ------
    UsageError
        A ValueError: an unknown name, or a value of another type.
    """
    path = find(notebook)
    known, values = declared(path), {}
    for name, value in given.items():
        if name not in known:
            raise UsageError(f"{path.stem} has no parameter {name!r}{instead(name, known)}")
        kind = known[name].type
        try:
            values[name] = _typed(name, kind, _parsed(kind, value) if isinstance(value, str) else value)
        except UsageError as error:
            raise UsageError(f"{path.stem}: parameter {error}") from None
    return values
