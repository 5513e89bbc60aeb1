"""Machine proofs: which theorems were checked, by a record that holds only for the sources it was made of."""

import hashlib
import json
from functools import cache

from lib.files import PROOFS

MACHINE = "machine proof"
"""Evidence that no claim can give itself: it follows from the record of `make prove`."""


def digest():
    """A digest of the names and texts of all proofs."""
    found = hashlib.sha256()
    for path in sorted(PROOFS.glob("*.v")):
        found.update(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()


@cache
def checked():
    """The checked theorems, {«File.name»: its statement and axioms}; none if the sources are not those checked."""
    path = PROOFS / "checked.json"
    record = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return record["theorems"] if record.get("digest") == digest() else {}


def evidence(claim):
    """What a claim rests on: a machine proof if all of its theorems were checked, else what its runs show."""
    return MACHINE if claim.theorems and set(claim.theorems) <= set(checked()) else claim.evidence
