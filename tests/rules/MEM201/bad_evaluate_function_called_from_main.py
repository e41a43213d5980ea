# evaluate function called from main

import torch


def evaluate(model, loader, device):
    model.eval()
    correct, total = 0, 0
    for images, labels in loader:
        images, labels = images.to(device), labels.to(device)
        outputs = model(images)  #! MEM201 error
        _, predicted = torch.max(outputs, 1)
        total += labels.size(0)
        correct += (predicted == labels).sum().item()
    return 100 * correct / total


def main():
    model = torch.nn.Linear(16, 4)
    loader = [(torch.randn(8, 16), torch.randint(0, 4, (8,))) for _ in range(10)]
    print(evaluate(model, loader, "cpu"))


if __name__ == "__main__":
    main()
