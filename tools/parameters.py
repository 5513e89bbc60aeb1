"""The parameters of a notebook in a file: what it declares, and values from a command line checked against that."""

import ast
import json

from lib.claims.parameters import UsageError, declarations
from lib.claims.parameters import checked as checked_value
from tools.notebooks import find, instead, read, tags


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
    return declarations(cells[0].source, f"{path.name}, cell parameters")


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
        A ValueError: an unknown name, a value of another type, or one that is not allowed.
    """
    path = find(notebook)
    known, values = declared(path), {}
    for name, value in given.items():
        if name not in known:
            raise UsageError(f"{path.stem} has no parameter {name!r}{instead(name, known)}")
        parameter = known[name]
        try:
            read_value = _parsed(parameter.type, value) if isinstance(value, str) else value
            values[name] = checked_value(name, parameter, read_value)
        except UsageError as error:
            raise UsageError(f"{path.stem}: parameter {error}") from None
    return values
