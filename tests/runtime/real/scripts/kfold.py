"""Cross-validation: a new model, optimizer and pair of loaders for each of five folds."""

import argparse
import json

import torch
from torch import nn
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset


def folds(count, k, seed):
    order = torch.randperm(count, generator=torch.Generator().manual_seed(seed)).tolist()
    for i in range(k):
        test = order[i::k]
        held_out = set(test)
        yield i, [n for n in order if n not in held_out], test


def reset_weights(m):
    for layer in m.children():
        if hasattr(layer, "reset_parameters"):
            layer.reset_parameters()


class SimpleNet(nn.Module):
    def __init__(self, features, width):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(features, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.head = nn.Linear(width, 3)

    def forward(self, x):
        return self.head(self.layers(x))


def train_one_epoch(network, loader, loss_function, optimizer, device):
    network.train()
    current_loss = 0.0
    for inputs, targets in loader:
        inputs, targets = inputs.to(device), targets.to(device)
        optimizer.zero_grad()
        loss = loss_function(network(inputs), targets)
        loss.backward()
        optimizer.step()
        current_loss += loss.item()
    return current_loss / len(loader)


def evaluate(network, loader, device):
    network.eval()
    correct = total = 0
    with torch.no_grad():
        for inputs, targets in loader:
            outputs = network(inputs.to(device))
            correct += (outputs.argmax(1).cpu() == targets).sum().item()
            total += targets.size(0)
    return 100.0 * correct / total


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--k-folds", type=int, default=5)
    parser.add_argument("--num-epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=50)
    parser.add_argument("--width", type=int, default=256)
    args = parser.parse_args()
    torch.manual_seed(42)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    dataset = TensorDataset(torch.randn(1000, 64), torch.randint(0, 3, (1000,)))
    loss_function = nn.CrossEntropyLoss()
    results = {}
    for fold, train_ids, test_ids in folds(len(dataset), args.k_folds, 42):
        print(f"FOLD {fold}\n" + "-" * 32)
        trainloader = DataLoader(dataset, args.batch_size, sampler=SubsetRandomSampler(train_ids))
        testloader = DataLoader(dataset, args.batch_size, sampler=SubsetRandomSampler(test_ids))
        network = SimpleNet(64, args.width).to(device)
        network.apply(reset_weights)
        optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
        for epoch in range(args.num_epochs):
            loss = train_one_epoch(network, trainloader, loss_function, optimizer, device)
            print(f"epoch {epoch + 1}: loss {loss:.3f}")
        torch.save(network.state_dict(), f"model-fold-{fold}.pth")
        results[fold] = evaluate(network, testloader, device)
        print(f"Accuracy for fold {fold}: {results[fold]:.2f} %")
    with open("results.json", "w") as f:
        json.dump(results, f)
    print(f"Average: {sum(results.values()) / len(results):.2f} %")
