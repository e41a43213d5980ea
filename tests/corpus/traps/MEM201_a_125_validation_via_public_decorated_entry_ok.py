import time
import torch


def evaluate_coco(model, loader, device, evaluator):
    for images, targets in loader:
        start = time.time()
        outputs = model([i.to(device) for i in images])
        outputs = [{k: v.cpu() for k, v in t.items()} for t in outputs]
        evaluator.update({t["image_id"].item(): o for t, o in zip(targets, outputs)}, time.time() - start)
    return evaluator


def evaluate_voc(model, loader, device, evaluator):
    for images, targets in loader:
        outputs = model([i.to(device) for i in images])
        evaluator.add(outputs, targets)
    return evaluator


@torch.inference_mode()
def evaluate(model, loader, device, evaluators):
    model.eval()
    if "coco" in evaluators:
        return evaluate_coco(model, loader, device, evaluators["coco"])
    return evaluate_voc(model, loader, device, evaluators["voc"])
