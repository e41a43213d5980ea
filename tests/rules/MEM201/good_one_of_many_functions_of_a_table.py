# Each of many small functions of a table reads a number from a record: none of them is a network.

import numpy as np
import torch  # noqa: F401


def compare(records, below):
    features = [
        ("coverage", lambda r, i: r.get("coverage")),
        ("groups", lambda r, i: r.get("groups")),
        ("annotated", lambda r, i: r.get("annotated")),
        ("intensity", lambda r, i: r.get("intensity")),
        ("peaks", lambda r, i: r.get("stats", {}).get("peaks")),
        ("length", lambda r, i: len(r["text"]) if r.get("text") else None),
        ("matched", lambda r, i: r.get("matched")),
    ]
    for name, extractor in features:
        found = []
        for i, r in enumerate(records):
            v = extractor(r, i)
            if v is not None and np.isfinite(v):
                if below[i]:
                    found.append(float(v))
        print(name, np.mean(found))
