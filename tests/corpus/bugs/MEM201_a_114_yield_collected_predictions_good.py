import torch


def predict_batches(model, loader, device):
    model.eval()
    for x in loader:
        with torch.no_grad():
            out = model(x.to(device))
        yield out #! MEM103


def predict(model, loader, device="cuda"):
    outs = list(predict_batches(model, loader, device))
    return torch.cat(outs).detach().cpu().numpy()
