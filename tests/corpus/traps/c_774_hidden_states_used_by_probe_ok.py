import torch
from transformers import AutoModel


class LayerMix(torch.nn.Module):
    def __init__(self, base):
        super().__init__()
        self.base = AutoModel.from_pretrained(base, output_hidden_states=True)
        self.w = torch.nn.Parameter(torch.zeros(13))
        self.head = torch.nn.Linear(768, 2)

    def forward(self, ids, mask):
        out = self.base(ids, attention_mask=mask)
        layers = torch.stack(out[2])
        mixed = (self.w.softmax(0)[:, None, None, None] * layers).sum(0)
        return self.head(mixed[:, 0])


def train(loader):
    net = LayerMix("bert-base-cased")
    opt = torch.optim.AdamW(net.parameters(), 2e-5)
    for ids, mask, y in loader:
        loss = torch.nn.functional.cross_entropy(net(ids, mask), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
