"""The command line: `margin run`, `sweep`, `try`, `claims`, `readme`, `normalise`, `figures`."""

import argparse
import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from lib import compiled
from lib.claims import MARKS, VERDICTS, LedgerError, documents
from lib.claims.entries import EVIDENCE
from lib.claims.entries import find as find_claim
from lib.claims.proofs import MACHINE
from lib.files import ROOT, RUNS, store
from tools.notebooks import UsageError, find, normalise_files
from tools.parameters import declared

BEGIN, END = "<!-- scoreboard -->", "<!-- /scoreboard -->"


def main(argv=None):
    """Run one command.

    Parameters
    ----------
    argv : list of str
        The words after `margin`; those of the command line by default.

    Returns
    -------
    int
        0 if all is well, 1 for a failure, 2 for a request that makes no sense, 130 after Ctrl-C.
    """
    words = sys.argv[1:] if argv is None else list(argv)
    arguments = vars(_parser().parse_args(_join_pairs(words)))
    command = arguments.pop("command")
    try:
        return command(**arguments)
    except UsageError as error:
        return _complain(error, 2)
    except LedgerError as error:
        return _complain(error, 1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader left; nothing more can be told
        return 1
    except OSError as error:
        return _complain(f"{error.filename or 'file'}: {error.strerror or error}", 1)
    except KeyboardInterrupt:
        return _complain("interrupted; what had finished is kept, and the same command goes on from there", 130)


def _complain(message, code):
    print(f"margin: {message}", file=sys.stderr)
    return code


def _parser():
    parser = argparse.ArgumentParser(prog="margin", description="Run the notebooks and their ledger.")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    add = _adder(commands)
    one = add(run, "run notebooks in parallel; executed copies and records go to runs/")
    one.add_argument("names", nargs="*", metavar="NAME", help="02, 02_novikoff_theorem or a path; default: all")
    _add_options(one, "a parameter of every notebook named")
    one.add_argument("--write", action="store_true", help="store the outputs in notebooks/ too, normalised")

    one = add(sweep, "run a notebook over a grid; writes one CSV and resumes where it was cut off")
    one.add_argument("notebook", metavar="NOTEBOOK", help="02, 02_novikoff_theorem or a path")
    _add_options(one, "values separated by commas (by semicolons if the parameter is a list)")
    one.add_argument("--dask", metavar="ADDRESS", help="on the workers of this Dask scheduler, or local")

    one = add(try_, "run the Try lines of notebooks and check their answers")
    one.add_argument("names", nargs="*", metavar="NAME", help="02, 02_novikoff_theorem or a path; default: all")
    one.add_argument("--quick", action="store_true", help="leave out the lines that name a duration")
    one.add_argument("--jobs", type=_positive(int), metavar="N", help="lines at a time; default: one a core")
    one.add_argument("--folder", metavar="FOLDER", help="where the results go; default: runs/")

    one = add(claims, "print the scoreboard of claims")
    one.add_argument("ids", nargs="*", metavar="ID", help="all about these claims; default: a line for each claim")
    one.add_argument("--document", choices=list(documents()))
    one.add_argument("--verdict", choices=VERDICTS)
    one.add_argument("--evidence", choices=[MACHINE, *EVIDENCE.split(", ")])
    one.add_argument("--notebook", metavar="NAME", help="02 or 02_novikoff_theorem")
    one.add_argument("--json", action="store_true", dest="as_json", help="as JSON; lib/claims/schema.json describes it")

    one = add(readme, "put the scoreboard into README.md")
    one.add_argument("--check", action="store_true", help="write nothing; exit 1 if it is out of date")

    one = add(normalise, "bring notebooks to the normal form in which they are committed")
    one.add_argument("paths", nargs="*", metavar="PATH", help="default: all notebooks")
    one.add_argument("--check", action="store_true", help="write nothing; exit 1 and name the files")

    one = add(figures, "compare the numbers plotted in figures/ with those in another folder")
    one.add_argument("--against", required=True, metavar="FOLDER")
    return parser


def _adder(commands):
    def add(command, text):
        name, about = command.__name__.rstrip("_"), text[0].upper() + text[1:] + "."
        parser = commands.add_parser(name, help=text, description=about)
        parser.set_defaults(command=command)
        return parser

    return add


def _add_options(parser, about_values):
    parser.add_argument("-p", action="append", default=[], dest="pairs", metavar="NAME VALUE", help=about_values)
    parser.add_argument("--jobs", type=_positive(int), metavar="N", help="notebooks at a time; default: one a core")
    parser.add_argument(
        "--timeout",
        type=_positive(float),
        default=600,
        metavar="S",
        help="seconds for each notebook; default: 600",
    )
    parser.add_argument("--force", action="store_true", help="run also what has not changed")
    parser.add_argument("--folder", metavar="FOLDER", help="where the results go; default: runs/")


def _positive(kind):
    def number(word):
        if not 0 < kind(word) < float("inf"):
            raise ValueError
        return kind(word)

    number.__name__ = f"positive {kind.__name__}"
    return number


def _join_pairs(words):
    """Turn `-p name value` into `-pname=value`: argparse takes a value like -1e-3 for an option."""
    joined = []
    words = iter(words)
    for word in words:
        if word == "-p":
            name = next(words, "")
            joined.append(f"-p{name}" if "=" in name else f"-p{name}={next(words, '')}")
        else:
            joined.append(word)
    return joined


def _pairs(joined):
    pairs = {}
    for pair in joined:
        name, _, value = pair.partition("=")
        if not name or not value:
            raise UsageError(f"-p {name or '…'} has no value; expected -p NAME VALUE")
        if name in pairs:
            raise UsageError(f"parameter {name!r} is given twice")
        pairs[name] = value
    return pairs


def run(names, pairs, folder, **options):
    from tools.runner import plan as runner
    from tools.runner import progress

    if find_spec("numba") and not (compiled.shelf() and any(compiled.shelf().iterdir())):  # a fresh copy
        print(compiled.ONCE, file=sys.stderr)
    with progress.Progress() as watch:
        records = runner.run(names, _pairs(pairs), folder=folder, watch=watch, **options)
    return _report(records, progress.report(records), folder)


def sweep(notebook, pairs, folder, **options):
    from tools.runner import plan as runner
    from tools.runner import progress

    grid = {name: _values(notebook, name, words) for name, words in _pairs(pairs).items()}
    with progress.Progress() as watch:
        records, path = runner.sweep(notebook, grid, folder=folder, watch=watch, **options)
    code = _report(records, runner.as_rows(records), folder)
    print(f"{len(records)} points: {os.path.relpath(path)}")
    return code


def try_(names, quick, jobs, folder):
    from tools.notebooks import listing
    from tools.runner import progress
    from tools.tries import faults_of, tries

    lines = [one for path in [find(name) for name in names] or listing() for one in tries(path)]
    lines = [one for one in lines if not (quick and one.long)]
    with progress.Progress() as watch:
        faults = faults_of(lines, folder=folder, watch=watch, jobs=jobs, timeout=3600)
    print(*faults, f"{len(lines)} Try lines, {len(faults)} faults", sep="\n")
    return int(bool(faults))


def _report(records, rows, folder):
    from tools.runner.progress import failures, table

    print(table(rows))
    if all(record.ok for record in records):
        return 0
    print(failures(records, Path(folder or os.path.relpath(RUNS))), file=sys.stderr)
    return 1


def _values(notebook, name, words):
    known = declared(find(notebook)).get(name)
    return words.split(";" if known and known.type is list else ",")


def claims(ids, as_json, **wanted):
    from lib.claims import scoreboard

    rows = scoreboard.select(scoreboard.scoreboard(), **wanted)
    rows = [row for row in rows if not ids or row["id"] in {find_claim(id).id for id in ids}]
    if as_json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
    elif ids:
        print("\n\n".join(map(scoreboard.as_text, rows)))
    else:
        for row in rows:
            print(f"{MARKS[row['verdict']]} {row['id']:<28}{row['verdict'] or 'not run':<12}{scoreboard.numbers(row)}")
        print("", *scoreboard.table("{:<12}" + "{:>12}" * 7, rows), sep="\n")
    return 0


def readme(check):
    from lib.claims import scoreboard

    path = ROOT / "README.md"
    text = path.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        return _complain(f"README.md has no {BEGIN} … {END} to fill", 1)
    filled = f"{before}{BEGIN}\n{scoreboard.as_markdown(scoreboard.scoreboard()).strip()}\n{END}{after}"
    if filled == text:
        return 0
    if check:
        return _complain("README.md is out of date; run margin readme", 1)
    store(path, filled)
    return 0


def normalise(paths, check):
    changed = normalise_files(paths, check=check)
    for path in changed:
        print(f"{'not in normal form' if check else 'normalised'}: {os.path.relpath(path)}")
    return int(check and bool(changed))


def figures(against):
    from tools.figures import compare

    differences = compare(against)
    for difference in differences:
        print(difference)
    return int(bool(differences))


if __name__ == "__main__":
    sys.exit(main())
