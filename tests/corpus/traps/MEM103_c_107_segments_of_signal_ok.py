import torch


def windows(signal, size, hop):
    out = []
    for start in range(0, signal.shape[-1] - size, hop):
        out.append(signal[..., start : start + size])
    return torch.stack(out)


def predict(net, loader):
    scores, labels = [], []
    with torch.no_grad():
        for x, y in loader:
            prob = net(x).softmax(1)
            conf, pred = prob.max(1)
            scores.append(prob[:, 1].cpu().numpy())
            labels.append(pred[0].item())
            scores.append(prob.topk(5)[0][:, :3].tolist())
    return scores, labels
