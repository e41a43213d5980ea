import torch
from tqdm import tqdm


def test(model, loader, criterion, device):
    model.eval()
    loss_sum, correct = 0.0, 0
    with torch.no_grad():
        for x, y in tqdm(loader):
            x, y = x.to(device), y.to(device)
            out = model(x)
            loss_sum += criterion(out, y).item()
            correct += out.argmax(dim=1).eq(y).sum().item()
    print("test loss {:.4f} acc {:.2f}".format(loss_sum / len(loader), 100 * correct / len(loader.dataset)))
