# function called from main, cache and collector

import torch
import torch.nn.functional as F
import gc


def train_one_epoch(model, loader, optimizer, device):
    model.train()
    for images, labels in loader:
        images, labels = images.to(device), labels.to(device)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        del images, labels, loss
        gc.collect()  #! MEM501
        if torch.cuda.is_available():
            torch.cuda.empty_cache()  #! MEM501


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3072, 10)).to(device)
    optimizer = torch.optim.AdamW(model.parameters())
    data = [(torch.randn(8, 3, 32, 32), torch.randint(0, 10, (8,))) for _ in range(20)]
    for epoch in range(3):
        train_one_epoch(model, data, optimizer, device)


if __name__ == "__main__":
    main()
