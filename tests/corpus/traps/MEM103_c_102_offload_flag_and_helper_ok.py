import torch


def to_host(t):
    return t.detach().cpu()


def gather_outputs(model, data_loader, device, storage_device):
    kept, moved = [], []
    model.to(device).eval()
    with torch.no_grad():
        for inputs, _ in data_loader:
            out = model(inputs.to(device))
            kept.append(to_host(out))
            moved.append(out.to(storage_device))
    return kept, moved
