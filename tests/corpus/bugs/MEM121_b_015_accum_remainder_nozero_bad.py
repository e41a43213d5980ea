import torch
from torch import nn


def train_one_epoch(model, loader, optimizer, scheduler, accum_steps, device):
    model.train()
    n_batches = len(loader)
    total = 0.0
    for i, (ids, mask, labels) in enumerate(loader):
        ids, mask, labels = ids.to(device), mask.to(device), labels.to(device)
        out = model(ids, attention_mask=mask)
        loss = nn.functional.cross_entropy(out, labels) / accum_steps
        loss.backward()  #! MEM121
        total += loss.item() * accum_steps
        if (i + 1) % accum_steps == 0 or (i + 1) == n_batches:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
    return total / n_batches


class BagClassifier(nn.Module):
    def __init__(self, vocab=30000, dim=128, classes=4):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=0)
        self.fc = nn.Linear(dim, classes)

    def forward(self, ids, attention_mask=None):
        h = self.emb(ids) * attention_mask.unsqueeze(-1)
        return self.fc(h.sum(1) / attention_mask.sum(1, keepdim=True))


@torch.inference_mode()
def accuracy(model, loader, device):
    model.eval()
    hits = [(model(i.to(device), m.to(device)).argmax(1).cpu() == y).float().mean() for i, m, y in loader]
    return torch.stack(hits).mean().item()


def main(train_loader, dev_loader):
    device = torch.device("cuda")
    model = BagClassifier().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1.0, s / 500))
    for epoch in range(4):
        l = train_one_epoch(model, train_loader, optimizer, scheduler, 8, device)
        print(f"epoch {epoch} loss {l:.4f} dev {accuracy(model, dev_loader, device):.4f}")
