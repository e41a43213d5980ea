import numpy as np
import torch
from transformers import AutoModelForSequenceClassification, Trainer, TrainingArguments


class WeightedTrainer(Trainer):
    def __init__(self, *a, weights=None, **k):
        super().__init__(*a, **k)
        self.weights = weights

    def compute_loss(self, model, inputs, return_outputs=False, **kw):
        labels = inputs.pop("labels")
        out = model(**inputs)
        loss = torch.nn.functional.cross_entropy(out.logits, labels, weight=self.weights.to(out.logits.device))
        return (loss, out) if return_outputs else loss


def metrics(p):
    return {"acc": float((np.argmax(p.predictions, -1) == p.label_ids).mean())}


def main(train, dev):
    model = AutoModelForSequenceClassification.from_pretrained("distilbert-base-uncased", num_labels=3)
    args = TrainingArguments("out", num_train_epochs=3, fp16=True)
    WeightedTrainer(model=model, args=args, train_dataset=train, eval_dataset=dev, compute_metrics=metrics, weights=torch.tensor([1., 2., 2.])).train()
