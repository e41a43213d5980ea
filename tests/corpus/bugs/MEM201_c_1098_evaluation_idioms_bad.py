import argparse

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.metrics import f1_score
from torch.utils.data import DataLoader


class Net(nn.Module):
    def __init__(self, n=10):
        super().__init__()
        self.f = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.head = nn.Linear(16, n)

    def forward(self, x):
        return self.head(self.f(x))


def predict_scores(net, loader):
    net.eval()
    return np.concatenate([net(x.cuda()).softmax(1).detach().cpu().numpy() for x, _ in loader])  #! MEM201


def f1_on(net, loader):
    net.eval()
    y_true, y_pred = [], []
    for x, y in loader:
        logits = net(x.cuda())  #! MEM201
        y_pred.extend(logits.argmax(-1).tolist())
        y_true.extend(y.tolist())
    return f1_score(y_true, y_pred, average="macro")


def sliding_window(net, image, size=64, stride=32):
    net.eval()
    canvas = torch.zeros(image.shape[-2:])
    if image.dim() == 4:
        for top in range(0, image.shape[-2] - size, stride):
            for left in range(0, image.shape[-1] - size, stride):
                patch = image[..., top:top + size, left:left + size]
                canvas[top:top + size, left:left + size] += net(patch.cuda()).softmax(1)[0, 1].cpu()  #! MEM201
    return canvas.numpy()


class Evaluator:
    def __init__(self, net, device):
        self.net, self.device = net.to(device), device

    def run(self, loader):
        self.net.train(False)
        meters = {"loss": 0.0, "top1": 0.0}
        if True:
            for x, y in loader:
                out = self.net(x.to(self.device))  #! MEM201
                meters["loss"] += F.cross_entropy(out, y.to(self.device), reduction="sum").item()
                meters["top1"] += (out.argmax(1).cpu() == y).sum().item()
        return {k: v / len(loader.dataset) for k, v in meters.items()}


def video(net, path):
    net.eval()
    cap = cv2.VideoCapture(path)
    while cap.isOpened():
        ok, frame = cap.read()
        if not ok:
            break
        x = torch.from_numpy(frame).permute(2, 0, 1).float().div(255).unsqueeze(0).cuda()
        label = net(x).argmax(1).item()  #! MEM201
        cv2.putText(frame, str(label), (10, 30), cv2.FONT_HERSHEY_SIMPLEX, 1, (0, 255, 0))
        cv2.imshow("out", frame)


def mc_dropout(net, loader, passes=20):
    net.eval()
    for m in net.modules():
        if isinstance(m, nn.Dropout):
            m.train()
    stds = []
    for x, _ in loader:
        draws = torch.stack([net(x.cuda()).softmax(1) for _ in range(passes)])  #! MEM201
        stds.append(draws.std(0).mean().item())
    return stds


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--video")
    args = ap.parse_args()
    net = Net().cuda()
    net.load_state_dict(torch.load("net.pt", map_location="cuda"))
    loader = DataLoader(torch.load("test.pt"), 64)
    print(predict_scores(net, loader).shape, f1_on(net, loader), Evaluator(net, "cuda").run(loader))
    print(sliding_window(net, torch.rand(1, 3, 512, 512)), mc_dropout(net, loader))
    if args.video:
        video(net, args.video)


main()
