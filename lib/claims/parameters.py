"""The parameters of an experiment: what a notebook declares, and values checked against that.

A parameter is one line `name: type = literal  # help` of the cell tagged `parameters`. Where not every value makes
sense the help ends with those that do: `[1..500]`, `[0.1..]`, or `[zero | random]`; of a list they are the entries'.
It is read from the text of the cell, so that a bad value is refused before a kernel starts; a notebook that was started
by other means asks `check_parameters` first.
"""

import ast
import io
import json
import math
import re
import sys
import tokenize
from typing import Any, NamedTuple

TYPES = {kind.__name__: kind for kind in (int, float, str, bool, list)}
EXPECTED = {int: "an integer", float: "a finite number", str: "a string", bool: "true or false", list: "a list"}


class UsageError(ValueError):
    """A request that cannot be met, in one sentence for the person who made it; a notebook shows that alone."""

    def _render_traceback_(self):
        return [str(self)]


class Parameter(NamedTuple):
    """What a notebook says about one of its parameters."""

    type: type
    default: Any
    allowed: str = ""
    """«1..500», «zero | random», or nothing."""

    def problem(self, value):
        """What is wrong with a value, «expected …», or None."""
        if type(value) is not self.type or (self.type is float and not math.isfinite(value)):
            return f"expected {EXPECTED[self.type]}"
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            return "expected numbers, strings and lists inside"
        if self.allowed and value == []:
            return "expected a list that is not empty"
        wrong = self.allowed and not all(map(self._is_allowed, _entries(value)))
        return f"expected {'entries ' if self.type is list else ''}{self._range()}" if wrong else None

    def _is_allowed(self, entry):
        if ".." not in self.allowed:
            return str(entry) in self.allowed.split(" | ")
        low, high = (float(end) if end else None for end in self.allowed.split(".."))
        number = isinstance(entry, int | float) and not isinstance(entry, bool)
        return number and (low is None or low <= entry) and (high is None or entry <= high)

    def _range(self):
        if ".." not in self.allowed:
            return f"one of {self.allowed.replace(' | ', ', ')}"
        low, high = self.allowed.split("..")
        return f"from {low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}"


def _entries(value):
    """The numbers and strings in a value, however deep."""
    return [e for entry in value for e in _entries(entry)] if isinstance(value, list) else [value]


def declarations(source, where):
    """The parameters that the text of a cell declares, by name; a UsageError names the line that declares none."""
    try:
        statements = ast.parse(source).body
        comments = _comments(source)
    except SyntaxError as error:
        raise UsageError(f"{where}, line {error.lineno}: {error.msg}") from None
    found = {}
    for statement in statements:
        line = f"{where}, line {statement.lineno}"
        name, parameter = _declaration(statement, comments.get(statement.lineno, ""), line)
        if name in found:
            raise UsageError(f"{line}: {name} stands there twice")
        found[name] = parameter
    return found


def _comments(source):
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {token.start[0]: token.string for token in tokens if token.type == tokenize.COMMENT}


def _declaration(statement, comment, where):
    match statement:
        case ast.AnnAssign(ast.Name(name), ast.Name(kind), value) if value and kind in TYPES:
            if statement.lineno == statement.end_lineno:
                allowed = re.search(r"\[([^\[\]]*(?:\.\.| \| )[^\[\]]*)\]\s*$", comment)
                try:
                    parameter = Parameter(TYPES[kind], None, allowed[1].strip() if allowed else "")
                    return name, parameter._replace(default=checked(name, parameter, ast.literal_eval(value)))
                except ValueError as error:
                    raise UsageError(f"{where}: {error}") from None
    expected = f"one line `name: type = literal  # help` with a type of {', '.join(TYPES)}"
    raise UsageError(f"{where}: {ast.unparse(statement)}; expected {expected}")


def checked(name, parameter, value):
    """The value if it may be one of the parameter; an integer becomes a float where a float is declared."""
    if parameter.type is float and type(value) is int:
        value = float(value)
    if problem := parameter.problem(value):
        raise UsageError(f"{name} is {value!r}; {problem}")
    return value


def check_parameters():
    """Refuse, in one sentence, what the parameters of the running notebook may not be; without one do nothing.

    What may be is read from the cell that declares them, the values from the notebook, where papermill may have
    put others.
    """
    ipython = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    for name, parameter in (_declared_in(shell.user_ns["In"]) if shell else {}).items():
        shell.user_ns[name] = checked(name, parameter, shell.user_ns[name])


def _declared_in(cells):
    """The declarations of the last cell that holds nothing else."""
    for source in reversed(cells):
        try:
            if found := declarations(source, "parameters"):
                return found
        except UsageError:
            continue
    return {}
