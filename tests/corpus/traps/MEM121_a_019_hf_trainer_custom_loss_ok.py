import numpy as np
import torch
from transformers import AutoModelForSequenceClassification, Trainer, TrainingArguments


class WeightedTrainer(Trainer):
    def __init__(self, *args, class_weights=None, **kwargs):
        super().__init__(*args, **kwargs)
        self.class_weights = class_weights

    def compute_loss(self, model, inputs, return_outputs=False, **kw):
        labels = inputs.pop("labels")
        outputs = model(**inputs)
        loss = torch.nn.functional.cross_entropy(outputs.logits, labels, weight=self.class_weights)
        return (loss, outputs) if return_outputs else loss

    def prediction_step(self, model, inputs, prediction_loss_only, ignore_keys=None):
        labels = inputs["labels"]
        outputs = model(**inputs)
        return outputs.loss, outputs.logits, labels


def compute_metrics(p):
    return {"acc": float((np.argmax(p.predictions, 1) == p.label_ids).mean())}


def main(train, dev):
    model = AutoModelForSequenceClassification.from_pretrained("roberta-base")
    args = TrainingArguments("out", per_device_train_batch_size=16, num_train_epochs=3, fp16=True)
    WeightedTrainer(model=model, args=args, train_dataset=train, eval_dataset=dev,
                    compute_metrics=compute_metrics).train()
