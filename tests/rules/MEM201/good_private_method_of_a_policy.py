# a private method of a policy of another file has a grad mode of its own

import torch

from agents import make_policy


def validate(cfg, test_loader):
    policy = make_policy(cfg)
    hits = []
    for batch in test_loader:
        out = policy._forward_eval(batch["obs"])
        hits.append((out["action"].argmax(-1) == batch["action"]).float().mean().item())
    return sum(hits) / len(hits)
