# one storage in the file holds the table and the rows of it: a clone would add them once more

import torch


def save(path):
    table = torch.randn(5000, 64)
    torch.save({"table": table, "first": table[:10]}, path)


def save_under_a_name(path):
    table = torch.randn(5000, 64)
    rows = table[:10]
    state = {"first": rows, "table": table}
    torch.save(state, path)


def save_both_ends(path):
    table = torch.randn(5000, 64)
    torch.save({"train": table[:4000], "test": table[4000:]}, path)
