# the features that a model holds are no models: their `update_metrics` is another one

import torch
from features.model import Base
from features.output import TextFeature


class Language(Base):
    def __init__(self, config, tokenizer):
        super().__init__()
        self.output_features = self.build_outputs(config)
        self.tokenizer = tokenizer

    def forward(self, x):
        return self.model(x)

    def eval_loss(self, targets, predictions):
        loss = 0
        for name, feature in self.output_features.items():
            loss += feature.loss.weight * feature.eval_loss(targets[name], predictions[name])
        additional_loss = 0
        additional_losses = self.losses()
        if additional_losses:
            additional_loss = torch.sum(torch.stack(additional_losses))
        return loss, additional_loss

    def update_metrics(self, targets, predictions):
        for name, feature in self.output_features.items():
            if not isinstance(feature, TextFeature):
                feature.update_metrics(targets[name], predictions[name])
        eval_loss, additional = self.eval_loss(targets, predictions)
        self.eval_loss_metric.update(eval_loss)
        self.eval_additional_losses_metrics.update(additional)

    def update_metrics_of_finetuning(self, targets, predictions):
        for name, feature in self.output_features.items():
            if isinstance(feature, TextFeature):
                feature.update_metrics(targets[name], predictions[name], self.tokenizer)
            else:
                feature.update_metrics(targets[name], predictions[name])
