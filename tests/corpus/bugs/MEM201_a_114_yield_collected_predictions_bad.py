import torch


def predict_batches(model, loader, device):
    model.eval()
    for x in loader:
        yield model(x.to(device))  #! MEM201 #? MEM102


def predict(model, loader, device="cuda"):
    outs = list(predict_batches(model, loader, device))  #? MEM102
    return torch.cat(outs).detach().cpu().numpy()
