"""Small GPT; the logits of a 50k vocabulary are named through the backward pass."""
import torch
import torch.nn.functional as F
from torch import nn


class GPT(nn.Module):
    def __init__(self, vocab=50257, d=64):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        layer = nn.TransformerEncoderLayer(d, 4, 128, batch_first=True)
        self.body = nn.TransformerEncoder(layer, 2)
        self.lm_head = nn.Linear(d, vocab, bias=False)

    def forward(self, ids):
        return self.lm_head(self.body(self.emb(ids)))


def train(args):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = GPT().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for step in range(args["steps"]):
        ids = torch.randint(0, 50257, (4, 65), device=device)
        x, y = ids[:, :-1], ids[:, 1:]
        logits = model(x)
        loss = F.cross_entropy(logits.reshape(-1, logits.size(-1)), y.reshape(-1))  #! MEM112
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  #= MEM112
        optimizer.step()
        print(step, loss.item())


if __name__ == "__main__":
    torch.manual_seed(0)
    train({"steps": 2})
