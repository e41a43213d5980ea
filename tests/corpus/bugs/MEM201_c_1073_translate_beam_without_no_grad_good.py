"""Memory keeps climbing while translating the test file, dies after ~300 sentences."""
import argparse
import heapq

import torch
import torch.nn as nn


class Seq2Seq(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, dim=256):
        super().__init__()
        self.src, self.tgt = nn.Embedding(src_vocab, dim), nn.Embedding(tgt_vocab, dim)
        self.encoder, self.decoder = nn.GRU(dim, dim, batch_first=True), nn.GRUCell(dim, dim)
        self.out = nn.Linear(dim, tgt_vocab)

    def encode(self, x):
        return self.encoder(self.src(x))[1][0]

    def decode_step(self, y, h):
        h = self.decoder(self.tgt(y), h)
        return self.out(h).log_softmax(-1), h


def translate_sentence(model, ids, beam_size, max_len=60):
    model.eval()
    with torch.no_grad():
        h = model.encode(ids)  #= MEM201
        beams = [(0.0, [1], h)]
        for _ in range(max_len):
            candidates = []
            for score, seq, h in beams:
                logp, h2 = model.decode_step(torch.tensor([seq[-1]], device=ids.device), h)  #= MEM201
                values, tokens = logp[0].topk(beam_size)
                for v, t in zip(values.tolist(), tokens.tolist()):
                    candidates.append((score + v, seq + [t], h2))
            beams = heapq.nlargest(beam_size, candidates, key=lambda c: c[0])
            if all(b[1][-1] == 2 for b in beams):
                break
    return beams[0][1]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--model")
    ap.add_argument("--beam", type=int, default=5)
    args = ap.parse_args()
    model = Seq2Seq(8000, 8000).cuda()
    model.load_state_dict(torch.load(args.model, map_location="cuda"))
    data = torch.load("test_ids.pt")
    for ids in data:
        print(translate_sentence(model, ids.unsqueeze(0).cuda(), args.beam))


if __name__ == "__main__":
    main()
