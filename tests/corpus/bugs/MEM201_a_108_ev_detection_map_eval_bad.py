import json
import os

import torch
from pycocotools.cocoeval import COCOeval


def evaluate_coco(dataset, model, out_dir, threshold=0.05):
    model.eval()
    results = []
    for index in range(len(dataset)):
        data = dataset[index]
        scale = data['scale']
        scores, labels, boxes = model(data['img'].permute(2, 0, 1).cuda().float().unsqueeze(dim=0))  #! MEM201
        scores, labels, boxes = scores.cpu(), labels.cpu(), boxes.cpu() / scale
        for k in range(boxes.shape[0]):
            score = float(scores[k])
            if score < threshold:
                break
            results.append({'image_id': dataset.image_ids[index], 'category_id': int(labels[k]),
                            'score': score, 'bbox': boxes[k].tolist()})
        print('{}/{}'.format(index, len(dataset)), end='\r')
    with open(os.path.join(out_dir, 'results.json'), 'w') as f:
        json.dump(results, f)
    coco = COCOeval(dataset.coco, dataset.coco.loadRes(os.path.join(out_dir, 'results.json')), 'bbox')
    coco.evaluate()
    coco.accumulate()
    coco.summarize()
    model.train()
