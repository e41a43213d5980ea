# the lists of one image take in a part for each level of its pyramid, and what stays is chosen on the GPU

import torch
from torchvision import ops


class Detector(torch.nn.Module):
    def decode(self, class_outputs, box_outputs, center_outputs, device="cuda"):
        center_iter = [None] * len(class_outputs) if center_outputs is None else center_outputs
        found = []
        for b in range(class_outputs[0].shape[0]):
            all_boxes, all_scores = [], []
            for level, (classes, boxes, center) in enumerate(zip(class_outputs, box_outputs, center_iter)):
                points = torch.arange(classes.shape[-1], device=device, dtype=torch.float32)
                scores = classes[b].flatten(1).sigmoid().amax(0)
                spread = boxes[b].flatten(1).t()
                all_boxes.append(torch.stack([points - spread[:, 0], points + spread[:, 1]], dim=-1))
                all_scores.append(scores)
            boxes, scores = torch.cat(all_boxes), torch.cat(all_scores)
            found.append(boxes[ops.nms(boxes, scores, 0.5)])
        return found
