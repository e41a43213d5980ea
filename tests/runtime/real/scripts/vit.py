"""A vision transformer with warm-up and mixup, whose validation keeps the graph of every batch."""

import argparse
import math
import os

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.scale = (dim // heads) ** -0.5
        self.norm = nn.LayerNorm(dim)
        self.to_qkv = nn.Linear(dim, dim * 3, bias=False)
        self.to_out = nn.Linear(dim, dim)

    def forward(self, x):
        b, n, d = x.shape
        qkv = self.to_qkv(self.norm(x)).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv
        attn = (q @ k.transpose(-1, -2) * self.scale).softmax(dim=-1)
        return self.to_out((attn @ v).transpose(1, 2).reshape(b, n, d))


class FeedForward(nn.Sequential):
    def __init__(self, dim, hidden):
        super().__init__(nn.LayerNorm(dim), nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, dim))


class ViT(nn.Module):
    def __init__(self, *, image_size, patch_size, num_classes, dim, depth, heads, mlp_dim):
        super().__init__()
        patches = (image_size // patch_size) ** 2
        self.patch = nn.Conv2d(3, dim, patch_size, patch_size)
        self.pos_embedding = nn.Parameter(torch.randn(1, patches + 1, dim))
        self.cls_token = nn.Parameter(torch.randn(1, 1, dim))
        self.layers = nn.ModuleList(
            [nn.ModuleList([Attention(dim, heads), FeedForward(dim, mlp_dim)]) for _ in range(depth)]
        )
        self.head = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, num_classes))

    def forward(self, img):
        x = self.patch(img).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls_token.expand(len(x), -1, -1), x], dim=1) + self.pos_embedding
        for attn, ff in self.layers:
            x = attn(x) + x
            x = ff(x) + x
        return self.head(x[:, 0])


def mixup(x, y, alpha, classes):
    share = float(torch.distributions.Beta(alpha, alpha).sample())
    order = torch.randperm(len(x), device=x.device)
    one_hot = F.one_hot(y, classes).float()
    return share * x + (1 - share) * x[order], share * one_hot + (1 - share) * one_hot[order]


def validate(model, loader, device):
    model.eval()
    losses, outputs, labels = [], [], []
    for images, targets in loader:
        images, targets = images.to(device), targets.to(device)
        logits = model(images)
        losses.append(F.cross_entropy(logits, targets))
        outputs.append(logits)
        labels.append(targets)
    accuracy = (torch.cat(outputs).argmax(1) == torch.cat(labels)).float().mean()
    return torch.stack(losses).mean().item(), accuracy.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--bs", type=int, default=16)
    parser.add_argument("--size", type=int, default=32)
    parser.add_argument("--patch", type=int, default=8)
    parser.add_argument("--dim", type=int, default=48)
    parser.add_argument("--lr", type=float, default=1e-3)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    train_set = TensorDataset(torch.rand(320, 3, args.size, args.size), torch.randint(0, 10, (320,)))
    val_set = TensorDataset(torch.rand(128, 3, args.size, args.size), torch.randint(0, 10, (128,)))
    train_loader = DataLoader(train_set, batch_size=args.bs, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=args.bs)

    model = ViT(
        image_size=args.size, patch_size=args.patch, num_classes=10, dim=args.dim, depth=3, heads=4, mlp_dim=96
    ).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.05)
    warmup = 5
    total = args.epochs * len(train_loader)
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda n: min((n + 1) / warmup, 0.5 * (1 + math.cos(math.pi * n / total)))
    )
    os.makedirs("log", exist_ok=True)
    best = 0.0
    for epoch in range(args.epochs):
        model.train()
        train_loss = 0.0
        for images, targets in train_loader:
            images, targets = images.to(device), targets.to(device)
            images, targets = mixup(images, targets, 0.8, 10)
            loss = torch.sum(-targets * F.log_softmax(model(images), dim=-1), dim=-1).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
            train_loss += loss.item()
        val_loss, accuracy = validate(model, val_loader, device)
        print(f"epoch {epoch}: train {train_loss / len(train_loader):.3f}, val {val_loss:.3f}, {accuracy:.3f}")
        with open("log/log_vit.txt", "a") as log:
            log.write(f"{epoch} {val_loss} {accuracy}\n")
        if accuracy >= best:
            best = accuracy
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, "log/vit.t7")


if __name__ == "__main__":
    main()
