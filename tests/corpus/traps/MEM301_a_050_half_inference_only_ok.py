import argparse
import torch
from pathlib import Path

from models.experimental import attempt_load
from utils.datasets import LoadImages
from utils.general import non_max_suppression


@torch.no_grad()
def run(weights, source, imgsz=640, device="cuda", half=True):
    model = attempt_load(weights, map_location=device)
    if half:
        model.half()
    model.eval()
    dataset = LoadImages(source, img_size=imgsz)
    for path, img, im0s, vid in dataset:
        img = torch.from_numpy(img).to(device)
        img = img.half() if half else img.float()
        img /= 255.0
        pred = model(img[None])[0]
        pred = non_max_suppression(pred, 0.25, 0.45)
        for det in pred:
            if len(det):
                print(Path(path).name, det[:, -1].unique().tolist())


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--weights", default="best.pt")
    p.add_argument("--source", default="images")
    a = p.parse_args()
    run(a.weights, a.source)
