import torch
import torch.nn.functional as F


class Hyp:
    def __init__(self, toks, score, state):
        self.toks, self.score, self.state = toks, score, state

    def extend(self, tok, lp, state):
        return Hyp(self.toks + [tok], self.score + lp, state)


class BeamSearcher:
    def __init__(self, model, bos, eos, width=5, max_len=60):
        self.model, self.bos, self.eos = model, bos, eos
        self.width, self.max_len = width, max_len

    def search(self, memory):
        hyps = [Hyp([self.bos], 0.0, self.model.init_state(memory))]
        done = []
        for _ in range(self.max_len):
            cand = []
            for h in hyps:
                logits, state = self.model.step(torch.tensor([h.toks[-1]]), h.state, memory)
                lp = F.log_softmax(logits, -1)[0]
                top = lp.topk(self.width)
                for v, i in zip(top.values.tolist(), top.indices.tolist()):
                    cand.append(h.extend(i, v, state))
            cand.sort(key=lambda h: -h.score)
            hyps = []
            for c in cand[:self.width]:
                (done if c.toks[-1] == self.eos else hyps).append(c)
            if not hyps:
                break
        return max(done or hyps, key=lambda h: h.score / len(h.toks)).toks


def translate_file(model, encode, src, bos, eos, vocab):
    model.eval()
    searcher = BeamSearcher(model, bos, eos)
    lines = []
    for s in open(src):
        with torch.no_grad():
            memory = model.encoder(encode(s))
            toks = searcher.search(memory)
        lines.append(" ".join(vocab[t] for t in toks[1:-1]))
    return lines
