# a class of fields derives from Module; its objects live for one decoding

import torch
from torch import nn


class Hypotheses(nn.Module):
    def __init__(self, tokens, log_probs):
        super().__init__()
        self.tokens, self.log_probs = tokens, log_probs


class Searcher(nn.Module):
    def __init__(self, width, words):
        super().__init__()
        self.out = nn.Linear(width, words)

    def begin(self, n, device):
        empty = torch.empty(n, 0, device=device)
        return Hypotheses(empty.long(), empty)

    def extend(self, alive, log_probs, picked):
        best = log_probs.gather(1, picked)
        alive.tokens = torch.cat([alive.tokens, picked], 1)
        alive.log_probs = torch.cat([torch.index_select(alive.log_probs, 0, picked[:, 0]), best], 1)
        return alive

    def forward(self, states):
        alive = self.begin(states.size(0), states.device)
        for t in range(states.size(1)):
            log_probs = self.out(states[:, t]).log_softmax(-1)
            alive = self.extend(alive, log_probs, log_probs.argmax(-1, keepdim=True))
        return alive.tokens
