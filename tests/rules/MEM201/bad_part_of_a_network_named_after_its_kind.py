# the part of the loaded network that runs is called after its kind

import torch
from lib.learner import Learner


def evaluate(path, episodes):
    learner = Learner.load_from_checkpoint(path)
    learner.eval()
    hits = 0
    for i in range(len(episodes)):
        support, query = episodes[i]
        logits = learner.protonet(support, query)  #! MEM201 error
        hits += (logits.argmax(1) == query["target"]).sum().item()
    return torch.tensor(hits / len(episodes))
