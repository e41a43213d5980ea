# what a function that nothing here calls gathers for its callers is advice, unless it goes to the host or names
# say that there are many numbers

import torch


@torch.no_grad()
def predict(model, test_loader, device="cuda"):
    found = []
    for x, _ in test_loader:
        found.append(model(x.to(device)))  #! MEM103 advice
    return torch.cat(found)


@torch.no_grad()
def predict_on_host(model, test_loader, device="cuda"):
    found = []
    for x, _ in test_loader:
        found.append(model(x.to(device)))  #! MEM103 warning
    return torch.cat(found).cpu()


@torch.no_grad()
def extract(model, test_loader, device="cuda"):
    features = []
    for x, _ in test_loader:
        features.append(model(x.to(device)))  #! MEM103 warning
    return torch.cat(features)


@torch.no_grad()
def predict_at_once(model, test_loader, device="cuda"):
    found = [model(x.to(device)) for x, _ in test_loader]  #! MEM103 warning
    found = torch.cat(found)
    return found.cpu()
