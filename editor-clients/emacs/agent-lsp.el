;;; agent-lsp.el --- agent-lsp beside other servers, by eglot  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))

;;; Commentary:

;; A small client: eglot starts the server, mirrors the buffers and applies the
;; edits.  Beside that, questions are asked with their diff, and what assistants
;; changed is shown in the text and can be kept and undone.  What else the
;; server could ask an editor is told in the README beside this file.
;;
;;   (require 'agent-lsp)
;;   (agent-lsp-enable 'text-mode 'org-mode)
;;
;; and `M-x eglot' in a buffer.  eglot has one server for a mode, so name modes
;; that have no other.  The keys are in `agent-lsp-review-mode-map'.

;;; Code:

(require 'eglot)
(require 'diff-mode)

(defgroup agent-lsp nil "The editor's view of the code for assistants." :group 'tools)

(defcustom agent-lsp-program "agent-lsp"
  "The program to start."
  :type 'string)

;; A class of its own, so that what follows is for this server alone.
(defclass agent-lsp-server (eglot-lsp-server) ()
  "The server of the editor's view.")

(defun agent-lsp-enable (&rest modes)
  "Have eglot start agent-lsp in buffers of MODES."
  (dolist (mode modes)
    (add-to-list 'eglot-server-programs
                 (cons mode (lambda (&rest _) (list 'agent-lsp-server agent-lsp-program "lsp"))))))

;; Assistants ask at any moment, and an edit has landed when the server sees
;; the text that it makes: changes must not wait until Emacs is idle.
(defun agent-lsp--tell ()
  "Send the changes that eglot holds back in the buffers of our server."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (and (eglot-managed-p) (cl-typep (eglot-current-server) 'agent-lsp-server))
        (eglot--signal-textDocument/didChange)))))

(defun agent-lsp--changed (&rest _)
  "Send changes as soon as the command that made them has ended."
  (when (cl-typep (eglot-current-server) 'agent-lsp-server)
    (setq-local eglot-send-changes-idle-time 0)))

(add-hook 'eglot-managed-mode-hook #'agent-lsp--changed)

;; eglot would ask for each edit, and the server does not wait so long: the edit
;; would be of unknown outcome.  Whom to ask, and when, the server decides by its
;; setting edits.confirm; it asks by agent/confirmEdit.
(cl-defmethod eglot-handle-request :around ((_ agent-lsp-server) (_ (eql workspace/applyEdit)) &key &allow-other-keys)
  "Apply the edit without a question, and tell of it before it is answered."
  (let ((eglot-confirm-server-initiated-edits nil))
    (prog1 (cl-call-next-method)
      (agent-lsp--tell))))

(cl-defmethod eglot-client-capabilities :around ((_ agent-lsp-server))
  "Say what this client can do."
  (plist-put (cl-call-next-method) :experimental
             '(:agentLsp (:confirmEdit t :decisions t :review t))))

(defun agent-lsp-call (tool &rest arguments)
  "Call TOOL with ARGUMENTS, a property list, and return its result.
The result is a property list, see the tools' documentation.  What a
tool cannot do is an error."
  (agent-lsp--tell)
  (let* ((result (jsonrpc-request
                  (eglot--current-server-or-lose) :workspace/executeCommand
                  (list :command "agent-lsp.call"
                        :arguments (vector (list :name tool :arguments (or arguments eglot--{}))))
                  :timeout 30))
         (structured (plist-get result :structuredContent)))
    (when (eq t (plist-get result :isError))
      (let ((failure (plist-get structured :error)))
        (error "%s: %s" (plist-get failure :kind) (plist-get failure :message))))
    structured))

;;; Consent

(defconst agent-lsp--choices
  '((?a "apply" "make the change" "apply")
    (?r "reject" "refuse it, with a reason for the assistant" "reject")
    (?e "edit first" "change the proposal, then C-c C-c" "edited")
    (?f "allow file" "apply, and do not ask again for this file" "allowFile")
    (?s "allow session" "apply, and do not ask again in this session" "allowSession"))
  "Key, name, description and decision of each answer.")

(defun agent-lsp--choices (allow files)
  "The answers that can be given for FILES; ALLOW has the special ones."
  (seq-filter (lambda (choice)
                (pcase (nth 3 choice)
                  ("edited" (and (= 1 (length files)) (plist-get (elt files 0) :text)))
                  ((or "allowFile" "allowSession") (seq-contains-p allow (nth 3 choice)))
                  (_ t)))
              agent-lsp--choices))

(defun agent-lsp--edit (file)
  "Have the person edit the text that FILE shall hold; return it."
  (let ((buffer (generate-new-buffer (format "*agent-lsp: %s*" (plist-get file :path)))))
    (unwind-protect
        (save-window-excursion
          (with-current-buffer buffer
            (insert (plist-get file :text))
            (goto-char (point-min))
            (let ((mode (assoc-default (plist-get file :path) auto-mode-alist #'string-match)))
              (when (functionp mode)
                (delay-mode-hooks (funcall mode)))) ; the hooks would tell servers of it
            (local-set-key (kbd "C-c C-c") #'exit-recursive-edit))
          (pop-to-buffer buffer)
          (message "Edit it, then C-c C-c; C-] leaves all as it was asked for")
          (recursive-edit)
          (with-current-buffer buffer (buffer-string)))
      (kill-buffer buffer))))

(defun agent-lsp--decide (question allow files)
  "Ask QUESTION; return what was decided.  ALLOW and FILES as the server sent them."
  (let ((enable-recursive-minibuffers t)
        (decision (nth 3 (read-multiple-choice question (agent-lsp--choices allow files)))))
    (pcase decision
      ("reject" (let ((reason (read-string "Why not? (for the assistant) ")))
                  (append '(:decision "reject") (unless (string= reason "") (list :reason reason)))))
      ("edited" (let ((file (elt files 0)))
                  (list :decision "edited"
                        :files (vector (list :path (plist-get file :path) :text (agent-lsp--edit file))))))
      (_ (list :decision decision)))))

(cl-defmethod eglot-handle-request
  ((_ agent-lsp-server) (_ (eql agent/confirmEdit)) &key client files reason allow &allow-other-keys)
  "Show what an assistant wants to change, and ask."
  (let ((buffer (generate-new-buffer "*agent-lsp: change*"))
        (question (format "%s wants to change %s%s"
                          (or (plist-get client :name) "An assistant")
                          (if (= 1 (length files))
                              (file-name-nondirectory (plist-get (elt files 0) :path))
                            (format "%d files" (length files)))
                          (if reason (format " (%s)" reason) ""))))
    (unwind-protect
        (save-window-excursion
          (with-current-buffer buffer
            (seq-do (lambda (file) (insert (plist-get file :diff) "\n")) files)
            (diff-mode)
            (setq buffer-read-only t)
            (goto-char (point-min)))
          (display-buffer buffer '((display-buffer-pop-up-window display-buffer-use-some-window)))
          (or (with-local-quit (agent-lsp--decide question allow files))
              '(:decision "reject" :reason "the person did not answer")))
      (setq quit-flag nil)
      (kill-buffer buffer))))

;;; Review: what assistants changed and is neither kept nor undone yet

(defface agent-lsp-added '((t :inherit diff-added :extend t)) "Lines that an assistant put in.")
(defface agent-lsp-removed '((t :inherit diff-removed :extend t)) "Lines that an assistant took out.")

(defvar-local agent-lsp--overlays nil "An overlay for each change, in their order.")

(defconst agent-lsp--removed-lines 30 "Lines of what was removed that are shown.")

(defvar agent-lsp-review-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c ; n") #'agent-lsp-next-change)
    (define-key map (kbd "C-c ; p") #'agent-lsp-previous-change)
    (define-key map (kbd "C-c ; k") #'agent-lsp-keep)
    (define-key map (kbd "C-c ; u") #'agent-lsp-undo)
    (define-key map (kbd "C-c ; K") #'agent-lsp-keep-all)
    (define-key map (kbd "C-c ; U") #'agent-lsp-undo-all)
    (define-key map (kbd "C-c ; l") #'agent-lsp-changes)
    (define-key map (kbd "C-c ; s") #'agent-lsp-send)
    map)
  "Keys in buffers that assistants can change.")

(define-minor-mode agent-lsp-review-mode
  "Show what assistants changed; it can be kept and undone."
  :lighter nil
  (if agent-lsp-review-mode
      (agent-lsp--fetch-soon (current-buffer))
    (mapc #'delete-overlay agent-lsp--overlays)
    (setq agent-lsp--overlays nil)))

(defun agent-lsp--managed ()
  "Turn review on in buffers of our server, and off again."
  (agent-lsp-review-mode (if (and (eglot-managed-p) (cl-typep (eglot-current-server) 'agent-lsp-server)) 1 -1)))

(add-hook 'eglot-managed-mode-hook #'agent-lsp--managed)

(cl-defmethod eglot-handle-notification
  ((_ agent-lsp-server) (_ (eql agent/review/changed)) &key files &allow-other-keys)
  "Show the changes of FILES anew."
  (seq-do (lambda (file)
            (when-let ((buffer (find-buffer-visiting (eglot--uri-to-path (plist-get file :uri)))))
              (agent-lsp--fetch-soon buffer)))
          files))

(defvar-local agent-lsp--timer nil "Set while news are gathered.")

(defun agent-lsp--fetch-soon (buffer &optional tries)
  "Ask for the changes of BUFFER in a moment; TRIES is how often that was vain."
  (with-current-buffer buffer
    (unless (timerp agent-lsp--timer)
      (setq agent-lsp--timer (run-at-time 0.1 nil #'agent-lsp--fetch buffer (or tries 0))))))

(defun agent-lsp--fetch (buffer tries)
  "Ask for the changes of BUFFER; TRIES is how often that was vain."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (setq agent-lsp--timer nil)
      (when (and agent-lsp-review-mode (eglot-managed-p))
        (agent-lsp--tell)
        (jsonrpc-async-request
         (eglot-current-server) :agent/review/list (eglot--TextDocumentIdentifier)
         :error-fn #'ignore
         :success-fn (lambda (result) (agent-lsp--fetched buffer tries result)))))))

(defun agent-lsp--fetched (buffer tries result)
  "Show RESULT in BUFFER if it is of its text; TRIES is how often it was not."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (let* ((files (plist-get result :files))
             (file (and (< 0 (length files)) (elt files 0)))
             (version (plist-get file :version)))
        (if (and version (/= version eglot--versioned-identifier) (< tries 20))
            (agent-lsp--fetch-soon buffer (1+ tries))
          (agent-lsp--show (plist-get file :hunks)))))))

(defun agent-lsp--line (position)
  "Where the line of the LSP POSITION begins."
  (save-excursion
    (goto-char (point-min))
    (forward-line (plist-get position :line))
    (point)))

(defun agent-lsp--removed (text)
  "TEXT that was removed, as it is shown."
  (let* ((lines (split-string (string-remove-suffix "\n" text) "\n"))
         (more (- (length lines) agent-lsp--removed-lines))
         (shown (string-join (seq-take lines agent-lsp--removed-lines) "\n")))
    (propertize (concat shown (if (> more 0) (format "\n… %d more lines" more) "") "\n")
                'face 'agent-lsp-removed)))

(defun agent-lsp--show (hunks)
  "Show HUNKS in the current buffer, and no others."
  (mapc #'delete-overlay agent-lsp--overlays)
  (save-restriction
    (widen)
    (setq agent-lsp--overlays (mapcar #'agent-lsp--overlay hunks))))

(defun agent-lsp--overlay (hunk)
  "Show HUNK; return its overlay."
  (let* ((range (plist-get hunk :range))
         (removed (plist-get hunk :removed))
         (overlay (make-overlay (agent-lsp--line (plist-get range :start))
                                (agent-lsp--line (plist-get range :end)) nil t nil)))
    (overlay-put overlay 'face 'agent-lsp-added)
    (overlay-put overlay 'agent-lsp-id (plist-get hunk :id))
    (overlay-put overlay 'help-echo (format "changed by %s" (string-join (append (plist-get hunk :clients) nil) ", ")))
    (unless (string= removed "")
      (overlay-put overlay 'before-string (agent-lsp--removed removed)))
    overlay))

(defun agent-lsp--here ()
  "The change in whose lines point is, or that was removed before them."
  (or (seq-find (lambda (overlay)
                  (and (>= (point) (overlay-start overlay))
                       (or (< (point) (overlay-end overlay))
                           (<= (line-beginning-position) (overlay-start overlay)))))
                agent-lsp--overlays)
      (user-error "No change of an assistant here")))

(defun agent-lsp-next-change (&optional back)
  "Go to the next change of an assistant; with BACK to the previous one."
  (interactive)
  (let* ((starts (mapcar #'overlay-start agent-lsp--overlays))
         (found (if back
                    (seq-find (lambda (at) (< at (line-beginning-position))) (reverse starts))
                  (seq-find (lambda (at) (> at (line-end-position))) starts))))
    (unless starts
      (user-error "No change of an assistant in this buffer"))
    (push-mark nil t)
    (goto-char (or found (if back (car (last starts)) (car starts))))))

(defun agent-lsp-previous-change ()
  "Go to the previous change of an assistant."
  (interactive)
  (agent-lsp-next-change t))

(defun agent-lsp--ask (method params)
  "Ask the server for METHOD with PARAMS, once it has all that was typed."
  (agent-lsp--tell)
  (jsonrpc-request (eglot--current-server-or-lose) method (or params eglot--{}) :timeout 30))

(defun agent-lsp--which ()
  "The lines of an active region, else the change at point, as the server takes it."
  (append (eglot--TextDocumentIdentifier)
          (if (use-region-p)
              (let ((last (save-excursion (goto-char (region-end)) (if (bolp) (point) (line-beginning-position 2)))))
                (list :range (list :start (list :line (1- (line-number-at-pos (region-beginning) t)) :character 0)
                                   :end (list :line (1- (line-number-at-pos last t)) :character 0))))
            (list :hunks (vector (overlay-get (agent-lsp--here) 'agent-lsp-id))))))

(defun agent-lsp-keep (&optional all)
  "Keep the change at point, or the lines of the region; with ALL all there are."
  (interactive)
  (let ((kept (plist-get (agent-lsp--ask :agent/review/keep (unless all (agent-lsp--which))) :kept)))
    (agent-lsp--fetch-soon (current-buffer))
    (message "%d kept" kept)))

(defun agent-lsp-undo (&optional all)
  "Put back what stood at point, or in the region; with ALL everywhere."
  (interactive)
  (let* ((result (agent-lsp--ask :agent/review/undo (unless all (agent-lsp--which))))
         (failed (plist-get result :failed)))
    (agent-lsp--fetch-soon (current-buffer))
    (if (and failed (< 0 (length failed)))
        (message "%d not undone: %s" (length failed) (plist-get (elt failed 0) :reason))
      (message "%d undone" (plist-get result :undone)))))

(defun agent-lsp-keep-all ()
  "Keep all that assistants changed."
  (interactive)
  (agent-lsp-keep t))

(defun agent-lsp-undo-all ()
  "Undo all that assistants changed."
  (interactive)
  (when (yes-or-no-p "Undo all that assistants changed? ")
    (agent-lsp-undo t)))

(defun agent-lsp-changes ()
  "List all that assistants changed; `next-error' goes through it."
  (interactive)
  (let ((files (plist-get (agent-lsp--ask :agent/review/list nil) :files))
        (buffer (get-buffer-create "*agent-lsp changes*")))
    (with-current-buffer buffer
      (let ((inhibit-read-only t))
        (erase-buffer)
        (seq-do (lambda (file)
                  (seq-do (lambda (hunk)
                            (insert (format "%s:%d: %s, %s\n" (eglot--uri-to-path (plist-get file :uri))
                                            (1+ (plist-get (plist-get (plist-get hunk :range) :start) :line))
                                            (string-join (append (plist-get hunk :clients) nil) ", ")
                                            (plist-get file :status))))
                          (plist-get file :hunks)))
                files)
        (when (= 0 (buffer-size))
          (insert "No change of an assistant waits for review.\n")))
      (grep-mode)
      (goto-char (point-min)))
    (pop-to-buffer buffer)))

(defun agent-lsp-send ()
  "Point assistants at the region, or at the file; `@path#L1-L4' is copied."
  (interactive)
  (let* ((range (when (use-region-p)
                  (list :range (agent-lsp--region-range (region-beginning) (region-end)))))
         (text (plist-get (agent-lsp--ask :agent/point (append (eglot--TextDocumentIdentifier) range)) :text)))
    (kill-new text)
    (message "%s is told to assistants, and copied" text)))

(defun agent-lsp--region-range (beginning end)
  "The LSP range from BEGINNING to END."
  (list :start (eglot--pos-to-lsp-position beginning) :end (eglot--pos-to-lsp-position end)))

(provide 'agent-lsp)
;;; agent-lsp.el ends here
