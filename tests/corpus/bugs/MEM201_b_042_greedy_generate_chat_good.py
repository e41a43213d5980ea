import torch
import torch.nn as nn
import torch.nn.functional as F


class MiniGPT(nn.Module):
    def __init__(self, vocab, d=256, n=6, h=8, ctx=256):
        super().__init__()
        self.ctx = ctx
        self.tok, self.pos = nn.Embedding(vocab, d), nn.Embedding(ctx, d)
        layer = nn.TransformerEncoderLayer(d, h, 4 * d, batch_first=True)
        self.blocks = nn.TransformerEncoder(layer, n)
        self.head = nn.Linear(d, vocab)

    def forward(self, idx, targets=None):
        t = idx.size(1)
        mask = nn.Transformer.generate_square_subsequent_mask(t, device=idx.device)
        h = self.blocks(self.tok(idx) + self.pos(torch.arange(t, device=idx.device)), mask=mask)
        logits = self.head(h)
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten())

    @torch.no_grad()
    def generate(self, idx, n, temperature=1.0, top_k=None):
        for _ in range(n):
            logits, _ = self(idx[:, -self.ctx:])
            logits = logits[:, -1] / temperature
            if top_k:
                v, _ = torch.topk(logits, top_k)
                logits[logits < v[:, [-1]]] = -float("inf")
            idx = torch.cat([idx, torch.multinomial(F.softmax(logits, -1), 1)], 1)
        return idx


def estimate_loss(model, get_batch, iters=200):
    out = {}
    model.eval()
    for split in ("train", "val"):
        losses = torch.zeros(iters)
        for k in range(iters):
            x, y = get_batch(split)
            with torch.no_grad():
                _, loss = model(x, y)
            losses[k] = loss.item()
        out[split] = losses.mean()
    model.train()
    return out


def train(model, get_batch, max_iters=5000):
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for it in range(max_iters):
        if it % 500 == 0:
            print(it, estimate_loss(model, get_batch))
        _, loss = model(*get_batch("train"))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
