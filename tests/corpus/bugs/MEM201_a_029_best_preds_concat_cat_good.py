import torch
from tqdm.auto import tqdm


def predict_test(net, test_loader, device):
    net.eval()
    test_pred = torch.tensor([], device=device)
    for data in tqdm(test_loader):
        data = data.to(device)
        with torch.no_grad():
            out = net(data)
        test_pred = torch.cat((test_pred, out), dim=0) #! MEM103
    return test_pred.detach().cpu().numpy()


def save_pred(preds, path):
    with open(path, "w") as fp:
        fp.write("id,pred\n")
        for i, p in enumerate(preds):
            fp.write(f"{i},{p}\n")


if __name__ == "__main__":
    from model import load_model
    from data import get_test_loader
    dev = torch.device("cuda")
    net = load_model("ckpt.pth").to(dev)
    save_pred(predict_test(net, get_test_loader(), dev), "submission.csv")
