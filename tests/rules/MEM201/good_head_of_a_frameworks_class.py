# who calls a head of a framework's class decides whether a graph is built

import torch
from pointcloud.heads import BaseHead
from torch import nn


class PointHead(BaseHead, nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, fine, coarse):
        return self.linear(torch.cat((fine, coarse)))

    def predict(self, inputs, prev_output, test_cfg, metas):
        seg_logits = prev_output.clone()
        for _ in range(test_cfg.steps):
            indices, points = self.get_points_test(seg_logits, cfg=test_cfg)
            logits = self.forward(self.fine(inputs, points), self.coarse(prev_output, points))
            seg_logits = seg_logits.scatter_(2, indices, logits)
        return self.predict_by_feat(seg_logits, metas)
