import torch
import torch.nn as nn
import torch.nn.functional as F


class Detector(nn.Module):
    def __init__(self, queries=100, dim=256, classes=91):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(3, dim, 16, 16), nn.ReLU())
        self.transformer = nn.Transformer(dim, 8, 2, 2, batch_first=True)
        self.query = nn.Embedding(queries, dim)
        self.cls, self.box = nn.Linear(dim, classes + 1), nn.Linear(dim, 4)

    def forward(self, x):
        f = self.backbone(x).flatten(2).transpose(1, 2)
        h = self.transformer(f, self.query.weight[None].expand(len(f), -1, -1))
        return {"logits": self.cls(h), "boxes": self.box(h).sigmoid()}


class SetCriterion(nn.Module):
    def __init__(self, weight_dict):
        super().__init__()
        self.weight_dict = weight_dict

    def forward(self, outputs, targets):
        labels = torch.stack([t["labels"] for t in targets])
        boxes = torch.stack([t["boxes"] for t in targets])
        return {
            "loss_ce": F.cross_entropy(outputs["logits"].transpose(1, 2), labels),
            "loss_bbox": F.l1_loss(outputs["boxes"], boxes),
        }


def build(args):
    return Detector(), SetCriterion({"loss_ce": 1.0, "loss_bbox": 5.0})
