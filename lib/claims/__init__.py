"""Claims: the ledger of statements, the rulings that runs give them, and the parameters of those runs.

A notebook calls `check` with comparisons; the verdict is derived from them, shown, and stored in the notebook's
output. `lib.claims.scoreboard` is made of the stored outputs, never of the ledger's word.
"""

from lib.claims.entries import MARKS, VERDICTS, Claim, Document, LedgerError, documents, ledger
from lib.claims.parameters import check_parameters
from lib.claims.rulings import METRICS, MIME, Ruling, check, check_all, report, rule
from lib.numbers.comparisons import Compared, at_most, below, equal, joined

__all__ = [
    "MARKS",
    "METRICS",
    "MIME",
    "VERDICTS",
    "Claim",
    "Compared",
    "Document",
    "LedgerError",
    "Ruling",
    "at_most",
    "below",
    "check",
    "check_all",
    "check_parameters",
    "documents",
    "equal",
    "joined",
    "ledger",
    "report",
    "rule",
]
