import torch
import torch.nn as nn


class Hypothesis:
    def __init__(self, tokens, log_prob, state):
        self.tokens, self.log_prob, self.state = tokens, log_prob, state

    def extend(self, token, log_prob, state):
        return Hypothesis(self.tokens + [token], self.log_prob + log_prob, state)

    @property
    def score(self):
        return self.log_prob / len(self.tokens)


class Decoder(nn.Module):
    def __init__(self, vocab, hid=256):
        super().__init__()
        self.emb = nn.Embedding(vocab, hid)
        self.cell = nn.LSTMCell(hid, hid)
        self.out = nn.Linear(hid, vocab)

    def forward(self, tok, state):
        h, c = self.cell(self.emb(tok), state)
        return self.out(h).log_softmax(-1), (h, c)


@torch.no_grad()
def beam_search(decoder, init, bos, eos, beam=4, max_len=40):
    hyps, done = [Hypothesis([bos], 0.0, init)], []
    for _ in range(max_len):
        cand = []
        for h in hyps:
            tok = torch.tensor([h.tokens[-1]])
            logp, state = decoder(tok, h.state)
            top, idx = logp[0].topk(beam)
            for lp, i in zip(top, idx):
                cand.append(h.extend(i.item(), lp, state))
        cand.sort(key=lambda h: h.score, reverse=True)
        hyps = []
        for h in cand:
            (done if h.tokens[-1] == eos else hyps).append(h)
            if len(hyps) == beam:
                break
    return max(done or hyps, key=lambda h: h.score)


def train(decoder, pairs, bos):
    opt = torch.optim.Adam(decoder.parameters())
    for init, tgt in pairs:
        state, loss = init, 0
        tok = torch.tensor([bos])
        for t in tgt:
            logp, state = decoder(tok, state)
            loss = loss - logp[0, t]
            tok = t.view(1)
        opt.zero_grad()  #? MEM122
        (loss / len(tgt)).backward()
        opt.step()
