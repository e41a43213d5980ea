import torch


def collect(model, loader, device):
    model.eval()
    res = {"pred": [], "target": [], "emb": []}
    for x, y in loader:
        with torch.no_grad():
            emb, pred = model(x.to(device))
        res["pred"].append(pred) #! MEM103
        res["emb"].append(emb) #! MEM103
        res["target"].append(y)
    return {k: torch.cat(v) for k, v in res.items()}


def main():
    from setup import build
    model, loader = build()
    out = collect(model, loader, "cuda")
    torch.save({k: v.detach().cpu() for k, v in out.items()}, "outputs.pt")


if __name__ == "__main__":
    main()
