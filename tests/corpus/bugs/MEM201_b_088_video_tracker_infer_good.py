import argparse

import cv2
import numpy as np
import torch
from torchvision.models.detection import fasterrcnn_resnet50_fpn


class Tracks:
    def __init__(self, iou=0.5):
        self.iou, self.items, self.next_id = iou, {}, 0

    def update(self, boxes):
        out = []
        for b in boxes:
            best, bid = self.iou, None
            for k, v in self.items.items():
                o = self.overlap(b, v)
                if o > best:
                    best, bid = o, k
            if bid is None:
                bid, self.next_id = self.next_id, self.next_id + 1
            self.items[bid] = b
            out.append(bid)
        return out

    @staticmethod
    def overlap(a, b):
        lt, rb = np.maximum(a[:2], b[:2]), np.minimum(a[2:], b[2:])
        wh = np.clip(rb - lt, 0, None)
        inter = wh[0] * wh[1]
        area = lambda r: (r[2] - r[0]) * (r[3] - r[1])
        return inter / (area(a) + area(b) - inter + 1e-9)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("video")
    ap.add_argument("--thr", type=float, default=0.7)
    args = ap.parse_args()
    model = fasterrcnn_resnet50_fpn(weights="DEFAULT").cuda()
    model.eval()
    cap = cv2.VideoCapture(args.video)
    tracks = Tracks()
    while True:
        ok, frame = cap.read()
        if not ok:
            break
        x = torch.from_numpy(frame[:, :, ::-1].copy()).permute(2, 0, 1).float().div(255).cuda()
        with torch.no_grad():
            det = model([x])[0]
        keep = det["scores"] > args.thr
        ids = tracks.update(det["boxes"][keep].detach().cpu().numpy())
        print(int(cap.get(cv2.CAP_PROP_POS_FRAMES)), ids)
    cap.release()


if __name__ == "__main__":
    main()
