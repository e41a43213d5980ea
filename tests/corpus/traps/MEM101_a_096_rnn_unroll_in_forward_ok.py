import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb, self.cell, self.out = nn.Embedding(vocab, dim), nn.GRUCell(dim, dim), nn.Linear(dim, vocab)

    def forward(self, tokens, h):
        logits, states = [], []
        all_hidden = ()
        for t in range(tokens.size(1)):
            h = self.cell(self.emb(tokens[:, t]), h)
            logits.append(self.out(h))
            states += [h]
            all_hidden = all_hidden + (h,)
        return torch.stack(logits, 1), torch.stack(states, 1), all_hidden

    @torch.no_grad()
    def greedy(self, h, bos, n):
        tok, res, scores = bos, [], 0
        for _ in range(n):
            h = self.cell(self.emb(tok), h)
            logp = self.out(h).log_softmax(-1)
            scores = scores + logp.max(-1).values
            tok = logp.argmax(-1)
            res.append(tok)
        return torch.stack(res, 1), scores


def train(dec, loader, opt):
    for tokens, h in loader:
        logits, _, _ = dec(tokens[:, :-1], h)
        loss = nn.functional.cross_entropy(logits.transpose(1, 2), tokens[:, 1:])
        opt.zero_grad()
        loss.backward()
        opt.step()
