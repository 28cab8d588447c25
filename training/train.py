"""Trains a network on self-play records in GPU or CPU memory."""

import ctypes as c
import math
import time
import tomllib

import numpy as np
import torch

import network as nn

MAX_ROW_WEIGHT = 505 / nn.QA  # 32 rows and a bias of this size fit 16 bits
MAX_OUTPUT_WEIGHT = 127 / nn.QB
MAX_LAYER_WEIGHT = {"hidden": 127 / nn.QB, "hidden_bias": 4.0}  # of the hidden layers; 7.9 for the others
GRADIENT_SCALE = 16.0  # keeps small gradients from underflowing in half precision; Adam is invariant to it
LOOKAHEAD_PLIES = 12  # later plies would hardly count


def read_settings(path, changes=None):
    """Reads the settings of a network from its TOML file and applies the changes of a plan."""
    with open(path, "rb") as file:
        settings = tomllib.load(file) | (changes or {})
    settings["shape"] = nn.Shape(
        settings["width"], settings["mirrored"], settings.get("king_buckets", [0] * 64), settings.get("hidden_sets", 0)
    )
    return settings


def fake_quantise(values, scale, largest):
    """Rounds values as in the network file. Gradients pass straight through to the unrounded values."""
    quantised = (values.detach() * scale).round().clamp(-largest * scale, largest * scale) / scale
    return values + (quantised - values.detach())


class Model(torch.nn.Module):
    """The network in training: one layer for both views of the board, then an output for each range of piece counts.

    With a factoriser, each row of the first layer is the sum of a row of its king bucket and a row shared by all buckets, so
    that what does not depend on the king is learned from all positions. The file stores the sums.

    Hidden layers add to the output, which remains as a shortcut past them. They start by adding nothing.
    """

    def __init__(self, shape, device, factoriser=False):
        super().__init__()
        self.shape = shape

        def random(*size, scale):
            return torch.nn.Parameter((torch.rand(size, device=device) * 2 - 1) * scale)

        first = random(nn.INPUTS, shape.width, scale=0.08)
        if factoriser:
            self.shared = first
            self.rows = torch.nn.Parameter(torch.zeros(shape.features, shape.width, device=device))
        else:
            self.shared = None
            self.rows = torch.nn.Parameter(first.detach().repeat(shape.buckets, 1))
        self.bias = torch.nn.Parameter(torch.full((shape.width,), 0.1, device=device))
        self.output = random(nn.OUTPUTS, 2 * shape.width, scale=1 / math.sqrt(2 * shape.width))
        self.output_bias = torch.nn.Parameter(torch.zeros(nn.OUTPUTS, device=device))
        self.layers = torch.nn.ParameterDict()
        for name, size in list(shape.sizes().items())[4:]:
            inputs = 2 * shape.width if name == "hidden" else 2 * nn.FIRST_HIDDEN
            self.layers[name] = random(*size, scale=1 / math.sqrt(inputs))
        if shape.hidden_sets:
            self.layers["hidden_bias"].data.fill_(0.2)
            self.layers["second_bias"].data.fill_(0.2)
            self.layers["last"].data.zero_()

    def first_layer(self):
        """Returns the rows, including the shared part."""
        return self.rows if self.shared is None else self.rows + self.shared.repeat(self.shape.buckets, 1)

    def forward(self, own, other, outputs):
        """Evaluates in plain PyTorch: the reference for the kernels."""
        rows = fake_quantise(self.first_layer(), nn.QA, MAX_ROW_WEIGHT)
        bias = fake_quantise(self.bias, nn.QA, MAX_ROW_WEIGHT)
        views = [torch.addmm(bias, board.float(), rows) for board in (own, other)]
        active = torch.cat(views, dim=1).clamp(0, 1).square()
        values = active @ self.output_weights().t()
        if not self.shape.hidden_sets:
            return self.from_products(values, None, outputs)
        # The engine shifts the squared activations, which rounds them down. A little more than 0 keeps exact ones.
        rounded = (active.detach() * nn.QA * nn.QA + 0.01).div(1 << nn.ACTIVE_SHIFT).floor() / nn.ACTIVE_ONE
        rounded = active + (rounded - active.detach())
        return self.from_products(values, rounded @ self.hidden_weights().t(), outputs)

    def output_weights(self):
        return fake_quantise(self.output, nn.QB, MAX_OUTPUT_WEIGHT)

    def hidden_weights(self):
        """Returns the weights of the first hidden layer, those of all sets below one another."""
        return fake_quantise(self.layers["hidden"], nn.QB, MAX_LAYER_WEIGHT["hidden"]).flatten(0, 1)

    def from_products(self, values, hidden, outputs):
        """Evaluates from the products of the activations with the weights of all outputs, and of all hidden layers."""
        values = (values + self.output_bias).gather(1, outputs.unsqueeze(1)).squeeze(1)
        if not self.shape.hidden_sets:
            return values
        layers = self.layers
        sums = hidden.view(len(outputs), -1, nn.FIRST_HIDDEN) + layers["hidden_bias"]
        chosen = outputs if self.shape.hidden_sets > 1 else torch.zeros_like(outputs)
        sums = sums.gather(1, chosen.view(-1, 1, 1).expand(-1, -1, nn.FIRST_HIDDEN)).squeeze(1)
        first = sums.clamp(0, 1)
        inputs = torch.cat([first, first.square()], dim=1)
        # Each position's inputs in the columns of its output, zeros in the others: one matrix product for all outputs.
        one_hot = (outputs.unsqueeze(1) == torch.arange(nn.OUTPUTS, device=outputs.device)).to(inputs.dtype)
        spread = (one_hot.unsqueeze(2) * inputs.unsqueeze(1)).flatten(1)
        second = spread @ layers["second"].flatten(0, 1) + one_hot @ layers["second_bias"]
        return values + (second.clamp(0, 1).square() * (one_hot @ layers["last"])).sum(1)

    def clip(self):
        self.rows.data.clamp_(-MAX_ROW_WEIGHT, MAX_ROW_WEIGHT)
        if self.shared is not None:
            self.shared.data.clamp_(-MAX_ROW_WEIGHT, MAX_ROW_WEIGHT)
        self.bias.data.clamp_(-MAX_ROW_WEIGHT, MAX_ROW_WEIGHT)
        self.output.data.clamp_(-MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT)
        for name, weights in self.layers.items():
            largest = MAX_LAYER_WEIGHT.get(name, 7.9)
            weights.data.clamp_(-largest, largest)

    def load(self, network):
        """Starts from the weights of a network. If this model is wider, its other neurons stay random, with small output
        weights."""
        width = network.shape.width
        output = self.output.data.view(nn.OUTPUTS, 2, -1)
        output[:, :, width:] *= 0.1
        for mine, theirs, scale in (
            (self.rows.data[:, :width], network.rows, nn.QA),
            (self.bias.data[:width], network.bias, nn.QA),
            (output[:, :, :width], network.output.reshape(nn.OUTPUTS, 2, -1), nn.QB),
            (self.output_bias.data, network.output_bias, nn.QA * nn.QB),
        ):
            mine.copy_(torch.tensor(theirs / scale, dtype=torch.float32))
        for name, theirs in network.layers.items():
            self.layers[name].data.copy_(torch.tensor(theirs / nn.layer_scale(name), dtype=torch.float32))
        if self.shared is not None:
            # The shared rows are the mean over the buckets.
            self.shared.data.copy_(self.rows.data.view(self.shape.buckets, nn.INPUTS, -1).mean(0))
            self.rows.data.sub_(self.shared.data.repeat(self.shape.buckets, 1))

    def export(self, provenance, scale=1.0):
        """Returns the quantised network, with its evaluation multiplied by `scale`."""
        rows = self.first_layer().detach().clamp(-MAX_ROW_WEIGHT, MAX_ROW_WEIGHT)
        output = (self.output * scale).detach().clamp(-MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT)
        parts = (p.detach().cpu().numpy() for p in (rows, self.bias, output, self.output_bias * scale))
        layers = {name: weights.detach().cpu().numpy() for name, weights in self.layers.items()}
        if layers:
            layers["last"] = layers["last"] * scale
        return nn.quantise(self.shape, *parts, provenance, layers)


class View(c.Structure):
    _fields_ = [("mirrored", c.c_uint8), ("buckets", c.c_uint8), ("bucket_of", c.c_uint8 * 64)]


class OutputLayer(c.Structure):
    """Must match `OutputLayer` in output_layer.h, which documents the fields."""

    _fields_ = [("positions", c.c_int32), ("width", c.c_int32), ("gradient_scale", c.c_float)] + [
        (name, c.c_void_p)
        for name in (
            "sums outputs targets first_bias weights biases errors slopes "
            "first_bias_gradients weight_gradients bias_gradients"
        ).split()
    ]


class Activations(c.Structure):
    """Must match `Activations` in activations.h, which documents the fields."""

    _fields_ = [("positions", c.c_int32), ("width", c.c_int32)] + [
        (name, c.c_void_p) for name in "sums bias squares bytes gradients".split()
    ]


class Batch:
    """The buffers of a batch. The library unpacks records into them and computes the output layer."""

    def __init__(self, library, model, size, device):
        shape = model.shape
        self.library, self.model, self.size = library.lib, model, size
        self.view = View(shape.mirrored, shape.buckets, (c.c_uint8 * 64)(*shape.king_buckets))
        on_gpu = torch.device(device).type == "cuda"
        # Half precision is exact here: weights are integers, and sums beyond 2,048 are clipped to 255 anyway.
        self.precision = torch.float16 if on_gpu else torch.float32
        self.indices = torch.zeros(size, dtype=torch.int32, device=device)
        self.boards = torch.zeros(2, size, shape.features, dtype=self.precision, device=device)
        self.sums = torch.zeros(2 * size, shape.width, dtype=self.precision, device=device)
        self.outputs = torch.zeros(size, dtype=torch.int64, device=device)
        self.targets = torch.zeros(size, device=device)
        self.errors = torch.zeros(size, device=device)
        self.slopes = torch.zeros(size, device=device)
        if shape.hidden_sets:
            squares = (size, 2 * shape.width)
            self.squares, self.bytes, self.gradients = (
                torch.zeros(squares, dtype=self.precision, device=device) for _ in range(3)
            )
        for parameter in model.parameters():
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)

    def stream(self):
        return c.c_void_p(torch.cuda.current_stream().cuda_stream if self.boards.is_cuda else 0)

    def unpack(self, records):
        self.boards.zero_()
        pointers = (self.boards[0], self.boards[1], self.outputs)
        self.library.unpack(
            c.c_void_p(records.data_ptr()), c.c_void_p(self.indices.data_ptr()), c.c_int(self.size),
            c.byref(self.view), *(c.c_void_p(t.data_ptr()) for t in pointers), self.stream(),
        )

    @torch.no_grad()
    def run(self, backward):
        """Computes the errors and, if requested, the gradients of all parameters."""
        model, boards = self.model, self.boards.view(2 * self.size, -1)
        rows = (fake_quantise(model.first_layer(), nn.QA, MAX_ROW_WEIGHT) * nn.QA).to(self.precision)
        if model.shape.hidden_sets:
            torch.mm(boards, rows, out=self.sums)
            self.run_hidden_layers(backward)
            if backward:
                self.row_gradients()
            return
        bias = (model.bias * nn.QA).round()
        weights = fake_quantise(model.output, nn.QB, MAX_OUTPUT_WEIGHT)
        torch.mm(boards, rows, out=self.sums)
        for parameter in (model.bias, model.output, model.output_bias):
            parameter.grad.zero_()
        layer = OutputLayer(self.size, model.shape.width, GRADIENT_SCALE, *(
            tensor.data_ptr()
            for tensor in (
                self.sums, self.outputs, self.targets, bias, weights, model.output_bias, self.errors, self.slopes,
                model.bias.grad, model.output.grad, model.output_bias.grad,
            )
        ))
        self.library.output_layer(c.byref(layer), c.c_int(backward), self.stream())
        if backward:
            self.row_gradients()

    def row_gradients(self):
        """Computes the gradients of the rows from those of the sums."""
        model = self.model
        model.rows.grad.copy_(torch.mm(self.boards.view(2 * self.size, -1).t(), self.sums))
        if model.shared is not None:
            torch.sum(model.rows.grad.view(model.shape.buckets, nn.INPUTS, -1), 0, out=model.shared.grad)

    def run_hidden_layers(self, backward):
        """Does what the output layer's kernels do, for a network with hidden layers: the large products in half precision,
        the small layers after them in PyTorch."""
        model = self.model
        bias = (model.bias * nn.QA).round()
        tensors = (self.sums, bias, self.squares, self.bytes, self.gradients)
        layer = Activations(self.size, model.shape.width, *(tensor.data_ptr() for tensor in tensors))
        self.library.activations(c.byref(layer), c.c_int(0), self.stream())
        output, hidden = model.output_weights().to(self.precision), model.hidden_weights().to(self.precision)
        values = torch.mm(self.squares, output.t()).float()
        # Divided first, the sums fit half precision.
        sums = torch.mm(self.bytes, (hidden / nn.ACTIVE_ONE).t()).float()
        with torch.set_grad_enabled(backward):
            values.requires_grad_(backward)
            sums.requires_grad_(backward)
            predicted = model.from_products(values, sums, self.outputs)
            errors = (torch.sigmoid(predicted) - self.targets).square()
            total = errors.sum() * GRADIENT_SCALE
        self.errors.copy_(errors.detach())
        if not backward:
            return
        small = [model.output_bias] + [weights for name, weights in model.layers.items() if name != "hidden"]
        gradients = torch.autograd.grad(total, [values, sums, *small])
        for parameter, gradient in zip(small, gradients[2:]):
            parameter.grad.copy_(gradient)
        values, sums = (gradient.to(self.precision) for gradient in gradients[:2])
        torch.addmm(torch.mm(values, output), sums, hidden, out=self.gradients)
        model.output.grad.copy_(torch.mm(values.t(), self.squares))
        # The products with bytes are large: a sixteenth of them fits half precision.
        scaled = torch.mm((sums / 16).t(), self.bytes).float() * (16 / nn.ACTIVE_ONE)
        model.layers["hidden"].grad.copy_(scaled.view_as(model.layers["hidden"]))
        self.library.activations(c.byref(layer), c.c_int(1), self.stream())
        torch.sum(self.sums, 0, dtype=torch.float32, out=model.bias.grad)

    def gradient_errors(self):
        """Returns the relative error of the gradients against PyTorch's, for each parameter."""
        self.run(backward=True)
        mine = [parameter.grad.clone() for parameter in self.model.parameters()]
        with torch.enable_grad():
            predicted = self.model(self.boards[0], self.boards[1], self.outputs)
            loss = (torch.sigmoid(predicted) - self.targets).square().sum() * GRADIENT_SCALE
            theirs = torch.autograd.grad(loss, list(self.model.parameters()))
        return [((a - b).norm() / b.norm()).item() for a, b in zip(mine, theirs)]


def quiet_positions(records, first_ply, part=1 << 24):
    """Returns the indices of the records to train on: quiet, past the opening, and without mate scores."""
    kept = []
    for start in range(0, len(records), part):
        some = records[start : start + part]
        score = some[:, 24:26].contiguous().view(torch.int16).squeeze(1)
        ply = some[:, 28:30].contiguous().view(torch.int16).squeeze(1)
        flags = some[:, 31]
        keep = (flags & 6 == 0) & (score.abs() < 4000) & (ply >= first_ply)
        kept.append((keep.nonzero().squeeze(1) + start).to(torch.int32))
    return torch.cat(kept)


def pieces_on_board(records):
    """Returns the number of pieces of each record."""
    counts = torch.tensor([n.bit_count() for n in range(256)], dtype=torch.uint8, device=records.device)
    total = counts[records[:, 0].long()]
    for byte in range(1, 8):
        total += counts[records[:, byte].long()]
    return total


def targets(records, result_weight=0.0, lookahead=0.0, endgame_result_weight=None, part=1 << 25):
    """Returns the training target of each record, from 0 for a loss to 1 for a win.

    It is the score of the search as an expected result. `lookahead` mixes in the scores of the following plies of the game,
    each weighted less than the one before by this factor. `result_weight` mixes in the result of the game. With
    `endgame_result_weight`, that is the weight with few pieces; it changes between 13 and 5 pieces.
    """
    parts = []
    for start in range(0, len(records), part):
        some = records[start : start + part + LOOKAHEAD_PLIES]
        scores = torch.sigmoid(some[:, 24:26].contiguous().view(torch.int16).squeeze(1).float() / nn.SCALE)
        target = scores
        if lookahead:
            ply = some[:, 28:30].contiguous().view(torch.int16).squeeze(1)
            same_game = ply[1:] == ply[:-1] + 1
            for _ in range(LOOKAHEAD_PLIES):
                ahead = scores.clone()
                ahead[:-1].lerp_(1 - target[1:], lookahead)
                target = torch.where(torch.nn.functional.pad(same_game, (0, 1)), ahead, scores)
        results = some[:, 30].float() / 2
        if endgame_result_weight is not None:
            few = ((13 - pieces_on_board(some).float()) / 8).clamp(0, 1)
            target = torch.lerp(target, results, result_weight + (endgame_result_weight - result_weight) * few)
        elif result_weight:
            target = torch.lerp(target, results, result_weight)
        parts.append(target[:part])
    return torch.cat(parts)


class Training:
    """The training of one network."""

    def __init__(
        self, library, settings, records, device, result_weight, start=None, lookahead=0.0, trunk=None,
        endgame_result_weight=None,
    ):
        self.settings, self.records = settings, records
        self.model = Model(settings["shape"], device, settings.get("factoriser", False))
        if start is not None:
            self.model.load(start)
        self.batch = Batch(library, self.model, settings["batch"], device)
        self.rate = torch.tensor(settings["rate"], device=device)
        on_gpu = records.is_cuda
        hidden = list(self.model.layers.values())
        others = [parameter for name, parameter in self.model.named_parameters() if not name.startswith("layers.")]
        # Hidden layers that begin with random weights may learn faster than the rest.
        self.hidden_factor = settings.get("hidden_rate_factor", 1.0)
        self.hidden_rate = self.rate * self.hidden_factor
        self.optimiser = torch.optim.AdamW(
            [{"params": others, "lr": self.rate}] + [{"params": hidden, "lr": self.hidden_rate}] * bool(hidden),
            weight_decay=settings["decay"], fused=on_gpu, capturable=on_gpu,
        )
        self.loss = torch.zeros((), device=device)
        self.steps = self.first_step = 0
        if trunk is not None:
            self.load_trunk(trunk)
        self.targets = targets(records, result_weight, lookahead, endgame_result_weight)
        everything = quiet_positions(records, settings["first_ply"])
        held_out = min(len(everything) // 20, 1 << 18)
        self.held_out = everything[len(everything) - held_out :]
        self.training = everything[: len(everything) - held_out]
        self.graph = None

    def one_step(self):
        self.batch.unpack(self.records)
        torch.index_select(self.targets, 0, self.batch.indices, out=self.batch.targets)
        self.batch.run(backward=True)
        self.optimiser.step()
        self.model.clip()
        self.loss += self.batch.errors.mean()

    def check_gradients(self):
        """Compares the kernels with PyTorch on a batch. Half precision alone causes relative errors of up to 0.07, the
        largest in networks that have converged; wrong kernels are off by more than 0.5."""
        self.draw()
        self.batch.unpack(self.records)
        torch.index_select(self.targets, 0, self.batch.indices, out=self.batch.targets)
        errors = self.batch.gradient_errors()
        if not max(errors) < 0.2:
            raise ValueError(f"The gradients differ from PyTorch's: relative errors {errors}.")
        return max(errors)

    def draw(self):
        """Draws the positions of the next batch."""
        # With replacement: this takes one cheap kernel and no permutation of all positions.
        chosen = torch.randint(len(self.training), (self.batch.size,), device=self.training.device)
        torch.index_select(self.training, 0, chosen, out=self.batch.indices)

    def capture(self):
        """Captures a step as a CUDA graph, so that it takes one launch. Training also works without, but slower."""
        for _ in range(3):
            self.draw()
            self.one_step()
        try:
            stream = torch.cuda.Stream()
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                self.one_step()
            torch.cuda.current_stream().wait_stream(stream)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                self.one_step()
            self.graph = graph
        except RuntimeError as error:
            print(f"training without a CUDA graph: {error}", flush=True)

    def set_rate(self, progress, hold):
        """Sets the learning rate: a short warm-up, constant for the fraction `hold` of the time, then cosine decay."""
        high, low = self.settings["rate"], self.settings["rate"] * 0.003
        warm_up = min(1.0, (self.steps - self.first_step + 1) / 300)
        decay = min(max(progress - hold, 0) / max(1 - hold, 1e-6), 1.0)
        rate = warm_up * (low + (high - low) * (1 + math.cos(math.pi * decay)) / 2)
        self.rate.fill_(rate)
        self.hidden_rate.fill_(rate * self.hidden_factor)

    def run(self, seconds, log, max_steps=1 << 62, hold=0.0, before_decay=None):
        """Trains for `seconds`. Calls `before_decay` when the learning rate starts to fall."""
        on_gpu = self.records.is_cuda
        begin = time.time()
        self.set_rate(0, hold)
        if on_gpu and self.graph is None:
            self.capture()
        first = self.steps
        last, last_time, last_steps = self.loss.item(), time.time(), self.steps
        report = max(seconds / 6, 1)
        while True:
            progress = max((time.time() - begin) / seconds, (self.steps - first) / max_steps)
            if before_decay is not None and progress >= hold and self.steps > first:
                before_decay()
                before_decay = None
            self.set_rate(progress, hold)
            if progress >= 1:
                break
            for _ in range(20 if on_gpu else 1):
                self.draw()
                self.graph.replay() if self.graph else self.one_step()
                self.steps += 1
            if on_gpu:
                torch.cuda.synchronize()
            if time.time() - last_time > report:
                total, now = self.loss.item(), time.time()
                speed = (self.steps - last_steps) * self.batch.size / (now - last_time) / 1e6
                log(
                    f"  step {self.steps}: loss {(total - last) / max(self.steps - last_steps, 1):.6f}, "
                    f"{speed:.1f} million positions/s"
                )
                last, last_time, last_steps = total, now, self.steps
        return time.time() - begin

    @torch.no_grad()
    def held_out_loss(self):
        """Returns the mean loss on the held-out games."""
        if len(self.held_out) < self.batch.size:
            return float("nan")
        total, n = 0.0, 0
        for start in range(0, len(self.held_out) - self.batch.size + 1, self.batch.size):
            self.batch.indices.copy_(self.held_out[start : start + self.batch.size])
            self.batch.unpack(self.records)
            torch.index_select(self.targets, 0, self.batch.indices, out=self.batch.targets)
            self.batch.run(backward=False)
            total += self.batch.errors.mean().item()
            n += 1
        return total / n

    def save_trunk(self, stem):
        """Saves full-precision weights and square roots of Adam's second moments, to resume training from.

        Adam's first moments are rebuilt within a few steps, so they are not saved.
        """
        weights, moments = {"steps": np.array(self.steps)}, {}
        for name, parameter in self.model.named_parameters():
            weights[name] = parameter.detach().cpu().numpy()
            square = self.optimiser.state[parameter]["exp_avg_sq"]
            moments[name] = square.sqrt().clamp(max=60000).half().cpu().numpy()
        np.savez(f"{stem}-weights.npz", **weights)
        np.savez(f"{stem}-moments.npz", **moments)

    def load_trunk(self, stem):
        weights, moments = np.load(f"{stem}-weights.npz"), np.load(f"{stem}-moments.npz")
        self.steps = self.first_step = int(weights["steps"])
        for name, parameter in self.model.named_parameters():
            parameter.data.copy_(torch.from_numpy(weights[name]))
            square = torch.from_numpy(moments[name]).float().square().to(parameter.device)
            step = torch.tensor(float(max(self.steps, 1)))
            self.optimiser.state[parameter] = {
                "step": step.to(parameter.device) if parameter.is_cuda else step,
                "exp_avg": torch.zeros_like(parameter),
                "exp_avg_sq": square,
            }


@torch.no_grad()
def test_errors(library, model, records, batch_size=16384):
    """Returns the mean squared error against the records' scores, the error at the best scale, that scale, and the error of
    each output (range of piece counts)."""
    batch_size = min(batch_size, len(records))
    batch = Batch(library, model, batch_size, records.device)
    expected, predicted, outputs = targets(records), [], []
    for start in range(0, len(records) - batch_size + 1, batch_size):
        batch.indices.copy_(torch.arange(start, start + batch_size))
        batch.unpack(records)
        predicted.append(model(batch.boards[0], batch.boards[1], batch.outputs))
        outputs.append(batch.outputs.clone())
    predicted, outputs = torch.cat(predicted), torch.cat(outputs)
    expected = expected[: len(predicted)]

    def error(scale):
        return (torch.sigmoid(predicted * scale) - expected).square()

    scales = [0.5 + 0.02 * i for i in range(61)]
    best = min(scales, key=lambda scale: error(scale).mean().item())
    plain = error(1.0)
    by_output = [plain[outputs == k].mean().item() for k in range(nn.OUTPUTS)]
    return plain.mean().item(), error(best).mean().item(), best, by_output
