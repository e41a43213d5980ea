# predictions collected while validating with the graph on

import torch


def predict_all(model, val_loader, device):
    model.eval()
    outputs, labels = [], []
    for images, target in val_loader:
        logits = model(images.to(device))
        outputs.append(logits)  #! MEM102 error
        labels.append(target)
    return torch.cat(outputs), torch.cat(labels)


def main():
    model = torch.nn.Linear(12, 3)
    val_loader = [(torch.randn(4, 12), torch.randint(0, 3, (4,))) for _ in range(25)]
    scores, labels = predict_all(model, val_loader, "cpu")
    print((scores.argmax(1) == labels).float().mean().item())


if __name__ == "__main__":
    main()
