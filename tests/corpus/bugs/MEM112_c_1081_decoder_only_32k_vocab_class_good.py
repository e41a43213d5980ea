import torch
import torch.nn as nn
import torch.nn.functional as F


class TinyLlama(nn.Module):
    def __init__(self, vocab=32000, d=512, layers=8):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.blocks = nn.ModuleList(nn.TransformerEncoderLayer(d, 8, 4 * d, batch_first=True, norm_first=True) for _ in range(layers))
        self.norm = nn.LayerNorm(d)
        self.lm_head = nn.Linear(d, 32000, bias=False)

    def forward(self, ids):
        h = self.tok(ids)
        mask = nn.Transformer.generate_square_subsequent_mask(ids.size(1)).to(ids.device)
        for b in self.blocks:
            h = b(h, src_mask=mask)
        return self.lm_head(self.norm(h))


class Pretrainer:
    def __init__(self, model, loader, lr=3e-4):
        self.model, self.loader = model.cuda(), loader
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr, weight_decay=0.1)

    def training_step(self, ids):
        self.optimizer.zero_grad()
        logits = self.model(ids[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, 32000), ids[:, 1:].reshape(-1))
        del logits
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def fit(self, epochs):
        for _ in range(epochs):
            for ids in self.loader:
                self.training_step(ids.cuda())
